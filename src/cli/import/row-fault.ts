/** Which row a refusal of a whole batch is about. */
import type { ApiError } from '../../client/errors.js'

export interface RowFault {
  /** In the batch. */
  index: number
  /** The field of the row; empty where it is the row itself. */
  param: string
  /** As it would be said of the row alone. */
  message: string
}

/** The API names a malformed item by its path, `leads[2].phone` (by decision: A malformed item in a batch). */
export function rowFault({ refusal }: ApiError, list: string, items: number): RowFault | undefined {
  if (refusal.code !== 'invalid_request') return undefined
  const [, name, digits = '', param = ''] = /^(\w+)\[(\d+)\](?:\.([^]+))?$/.exec(refusal.param ?? '') ?? []
  const index = Number(digits)
  if (name !== list || index >= items) return undefined
  return { index, param, message: refusal.message.replace(`${list}[${index}].`, '').replace(`${list}[${index}]`, 'it') }
}
