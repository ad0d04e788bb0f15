/** How much of a list a command prints: one page, or with `--all` every page. */
import type { Page } from '../../client/pages.js'
import type { Reply } from '../../client/reply.js'

/** The bodies of the pages that were asked for. */
export async function* listPages<P extends Page>(
  pages: AsyncIterable<Reply<P>>,
  { all }: { all: boolean },
): AsyncGenerator<P> {
  for await (const { body } of pages) {
    yield body
    if (!all) return
  }
}

/** What is there at once, as a list of one page. */
export async function* onePage<P>(page: P): AsyncGenerator<P> {
  yield await Promise.resolve(page)
}
