/** Pages of a list that a command prints: the first one, as many as `--limit` needs, or with `--all` every page. */
import type { Page } from '../../client/pages.js'
import type { Reply } from '../../client/reply.js'

/** Yields the bodies of these pages. */
export async function* listPages<P extends Page>(
  pages: AsyncIterable<Reply<P>>,
  { all, limit = 0 }: { all: boolean; limit?: number | undefined },
): AsyncGenerator<P> {
  let count = 0
  for await (const { body } of pages) {
    yield body
    count += body.data.length
    if (!all && count >= limit) return
  }
}

/** Wraps data as a list with one page. */
export async function* onePage<P>(page: P): AsyncGenerator<P> {
  yield await Promise.resolve(page)
}

/** The first items of a list that the API sends without a limit. */
export async function* firstOf<P extends Page>(pages: AsyncIterable<P>, limit = Infinity): AsyncGenerator<P> {
  let room = limit
  for await (const page of pages) {
    yield room < page.data.length ? { ...page, data: page.data.slice(0, room) } : page
    room -= page.data.length
    if (room <= 0) return
  }
}
