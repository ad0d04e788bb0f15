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
  const followed = new CursorLog()
  let cursor: string | undefined
  do {
    const page = await fetch(cursor)
    yield page
    cursor = nextCursor(page.body)
    if (cursor !== undefined) followed.follow(cursor)
  } while (cursor !== undefined)
}

/** The cursor of the page after this one; undefined on the last. */
export function nextCursor({ meta }: Page): string | undefined {
  const cursor: unknown = meta?.has_more ? meta.next_cursor : undefined
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined
}

/** No list has as many pages. */
const pagesMax = 100_000

/** Remembers the cursors of one way through a list. Throws where a cursor comes twice, so that every way ends. */
export class CursorLog {
  readonly #followed = new Set<string>()

  follow(cursor: string): void {
    if (this.#followed.has(cursor))
      throw new EndlessListError('The list gave the same cursor twice: it would never end.')
    if (this.#followed.size >= pagesMax) throw new EndlessListError(`The list has more than ${pagesMax} pages.`)
    this.#followed.add(cursor)
  }
}

/** A list that cannot be followed to its end. */
export class EndlessListError extends Error {
  override readonly name = 'EndlessListError'
}
