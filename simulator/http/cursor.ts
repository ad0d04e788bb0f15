/**
 * List cursors: the id of the last item of the previous page (rule P1). New items have higher numbers, so pages neither
 * repeat nor skip items (rule P2).
 */
import { ApiError } from '../../src/contract/errors/error-codes.js'

/** Returns the row number of a cursor; null without a cursor. Refuses a cursor that names no item the key can see. */
export function cursorNumber(
  cursor: string | undefined,
  find: (id: string) => number | null | undefined,
  param = 'starting_after',
): number | null {
  if (cursor === undefined) return null
  const n = find(cursor)
  if (n === null || n === undefined) {
    throw new ApiError('invalid_request', `${param} names no item that this key can see. Start from the first page.`, {
      param,
    })
  }
  return n
}
