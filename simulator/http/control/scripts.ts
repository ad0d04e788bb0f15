/** Serves call scripts: what happens on the next calls to a number. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { parsePhone } from '../../../src/phone/number.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import { tenantNamed, type ControlContext } from './context.js'

export function scriptHandlers(context: ControlContext): Pick<ControlHandlers, 'setScript' | 'removeScript'> {
  const { steps } = context
  return {
    setScript: ({ body: { phone, calls, ...whose } }) =>
      replyCreated(
        steps.step(() => {
          const tenant = tenantNamed(context, whose)
          const e164 = readScriptNumber(phone)
          tenant.scripts.set(e164, calls)
          return { phone: e164, mode: tenant.mode, organization_id: tenant.record.id, calls: calls.length }
        }),
      ),
    removeScript: ({ query: { phone, ...whose } }) =>
      replyOk(
        steps.step(() => {
          const e164 = phone === undefined ? undefined : readScriptNumber(phone)
          return { removed: tenantNamed(context, whose).scripts.remove(e164) }
        }),
      ),
  }
}

/** The stored form of a number of any kind. An unencoded plus arrives as a space. */
function readScriptNumber(phone: string): string {
  const number = parsePhone(phone.replace(/^ (?=\d)/, '+'))
  if (number.kind === 'invalid')
    throw new ApiError('invalid_phone', 'The phone is not a telephone number.', { param: 'phone' })
  return number.e164
}
