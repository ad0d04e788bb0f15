/** Follows a list's cursor from page to page. */
import type { Reply } from './reply.js'

export interface Page<Item = unknown> {
  data: readonly Item[]
  /** Missing on lists that have one page only. */
  meta?: { next_cursor: string | null; has_more: boolean }
}

/** Yields every page in turn. `fetch` gets the cursor of the page, undefined for the first. */
export async function* followPages<P extends Page>(
  fetch: (cursor: string | undefined) => Promise<Reply<P>>,
): AsyncGenerator<Reply<P>> {
  const followed = new CursorLog()
  let cursor: string | undefined
  do {
    const page = await fetch(cursor)
    yield page
    cursor = nextCursor(page.body)
    if (cursor !== undefined) followed.follow(cursor)
  } while (cursor !== undefined)
}

/** The cursor of the next page; undefined on the last. */
export function nextCursor({ meta }: Page): string | undefined {
  const cursor: unknown = meta?.has_more ? meta.next_cursor : undefined
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined
}

/** A list with more pages is taken for one that never ends. */
const pagesMax = 100_000

/** Remembers the cursors seen in one list. Throws if a cursor repeats, so that paging always ends. */
export class CursorLog {
  readonly #followed = new Set<string>()

  follow(cursor: string): void {
    if (this.#followed.has(cursor))
      throw new EndlessListError('The list gave the same cursor twice: it would never end.')
    if (this.#followed.size >= pagesMax) throw new EndlessListError(`The list has more than ${pagesMax} pages.`)
    this.#followed.add(cursor)
  }
}

/** The list repeats a cursor or has too many pages. */
export class EndlessListError extends Error {
  override readonly name = 'EndlessListError'
}
