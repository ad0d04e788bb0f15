/** Finds the row that caused a whole batch to be refused. */
import type { ApiError } from '../../client/errors.js'

export interface RowFault {
  /** Index in the batch. */
  index: number
  /** Field of the row; empty for the row itself. */
  param: string
  /** The message as it would be for a single row. */
  message: string
}

/** The API names a malformed item by its path, `leads[2].phone` (rule A6). */
export function rowFault({ refusal }: ApiError, list: string, items: number): RowFault | undefined {
  if (refusal.code !== 'invalid_request') return undefined
  const [, name, digits = '', param = ''] = /^(\w+)\[(\d+)\](?:\.([^]+))?$/.exec(refusal.param ?? '') ?? []
  const index = Number(digits)
  if (name !== list || index >= items) return undefined
  return { index, param, message: refusal.message.replace(`${list}[${index}].`, '').replace(`${list}[${index}]`, 'it') }
}
