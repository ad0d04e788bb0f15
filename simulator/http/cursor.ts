/** Cursors of lists: the id of the last item of the page before (by decision). */
import { ApiError } from '../../src/contract/errors/error-codes.js'

/** The row number a cursor names; null without a cursor. One that names nothing of the key's is refused. */
export function cursorNumber(
  cursor: string | undefined,
  find: (id: string) => number | null | undefined,
  param = 'starting_after',
): number | null {
  if (cursor === undefined) return null
  const n = find(cursor)
  if (n === null || n === undefined) {
    throw new ApiError('invalid_request', `${param} names nothing this key can see; start from the first page.`, {
      param,
    })
  }
  return n
}
