/** Serves the call scripts of the control plane: what the next calls to a number do. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { readNumber } from '../../../src/phone/number.js'
import { created, ok, type ControlHandlers } from '../handler.js'
import { tenantNamed, type Plane } from './context.js'

export function scriptHandlers(plane: Plane): Pick<ControlHandlers, 'setScript' | 'removeScript'> {
  const { steps } = plane
  return {
    setScript: ({ body: { phone, calls, ...whose } }) =>
      created(
        steps.step(() => {
          const organization = tenantNamed(plane, whose)
          const e164 = readable(phone)
          organization.scripts.set(e164, calls)
          return { phone: e164, mode: organization.mode, organization_id: organization.record.id, calls: calls.length }
        }),
      ),
    removeScript: ({ query: { phone, ...whose } }) =>
      ok(
        steps.step(() => {
          const e164 = phone === undefined ? undefined : readable(phone)
          return { removed: tenantNamed(plane, whose).scripts.remove(e164) }
        }),
      ),
  }
}

/** The stored form of a number, whatever its kind. An unencoded plus arrives as a space. */
function readable(phone: string): string {
  const number = readNumber(phone.replace(/^ (?=\d)/, '+'))
  if (number.kind === 'invalid')
    throw new Refusal('invalid_phone', 'The phone is not a telephone number.', { param: 'phone' })
  return number.e164
}
