/** Says more than the service about a phone number that it cannot read. */
import { ApiError } from '../../client/errors.js'

/** The next step by error code; empty if there is no more to say. */
export async function stepsIfInvalidPhone(error: unknown, phone: unknown): Promise<Readonly<Record<string, string>>> {
  if (!(error instanceof ApiError) || error.refusal.code !== 'invalid_phone' || typeof phone !== 'string') return {}
  const { explainInvalidNumber } = await import('../import/review/number-faults.js')
  const invalid_phone = explainInvalidNumber(phone)
  return invalid_phone === undefined ? {} : { invalid_phone }
}
