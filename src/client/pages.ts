/** Follows a list's cursor from page to page. */
import type { Reply } from './reply.js'

export interface Page<Item = unknown> {
  data: readonly Item[]
  /** Missing where a list is never cut into pages. */
  meta?: { next_cursor: string | null; has_more: boolean }
}

/** Gives every page in turn. `fetch` is asked for the one after a cursor, and for the first without. */
export async function* followPages<P extends Page>(
  fetch: (cursor: string | undefined) => Promise<Reply<P>>,
): AsyncGenerator<Reply<P>> {
  const followed = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await fetch(cursor)
    yield page
    cursor = nextCursor(page.body)
    if (cursor !== undefined && followed.has(cursor))
      throw new Error('The list gave the same cursor twice: it would never end.')
    if (cursor !== undefined) followed.add(cursor)
  } while (cursor !== undefined)
}

/** The cursor of the page after this one; undefined on the last. */
function nextCursor({ meta }: Page): string | undefined {
  return meta?.has_more ? (meta.next_cursor ?? undefined) : undefined
}
