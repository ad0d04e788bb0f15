/** Parses amounts of money: `100`, `99.50`. */
import { UsageError } from '../errors/usage-error.js'

/** Throws `UsageError` for an invalid amount. `more` adds other allowed values to the hint. */
export function parseAmount(text: string, flag: string, more = ''): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  throw new UsageError(`${flag} ${text} is not an amount.`, `It reads like 100, or 99.50${more}.`)
}
