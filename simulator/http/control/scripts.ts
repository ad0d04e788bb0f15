/** Serves the call scripts of the control plane: what the next calls to a number do. */
import { Refusal } from '../../../src/contract/refusals.js'
import { readNumber } from '../../../src/phone/number.js'
import { created, ok, type ControlHandlers } from '../handler.js'
import { tenantNamed, type Plane } from './plane.js'

export function scriptHandlers(plane: Plane): Pick<ControlHandlers, 'setScript' | 'removeScript'> {
  const { world, steps } = plane
  return {
    setScript: ({ body: { phone, calls, ...whose } }) =>
      created(
        steps.step(() => {
          const organization = tenantNamed(plane, whose)
          const e164 = readable(phone)
          world.store.run(
            'INSERT OR REPLACE INTO scripts (tenant, phone, calls, played) VALUES (?, ?, ?, 0)',
            organization.tenant,
            e164,
            JSON.stringify(calls),
          )
          return { phone: e164, mode: organization.mode, organization_id: organization.record.id, calls: calls.length }
        }),
      ),
    removeScript: ({ query: { phone, ...whose } }) =>
      ok(
        steps.step(() => {
          const { tenant } = tenantNamed(plane, whose)
          const removed =
            phone === undefined
              ? world.store.run('DELETE FROM scripts WHERE tenant = ?', tenant)
              : world.store.run('DELETE FROM scripts WHERE tenant = ? AND phone = ?', tenant, readable(phone))
          return { removed }
        }),
      ),
  }
}

/** The stored form of a number, whatever its kind. An unencoded plus arrives as a space. */
export function readable(phone: string): string {
  const number = readNumber(phone.replace(/^ (?=\d)/, '+'))
  if (number.kind === 'invalid') throw new Refusal('invalid_phone', `${phone} is not a telephone number.`, { param: 'phone' })
  return number.e164
}
