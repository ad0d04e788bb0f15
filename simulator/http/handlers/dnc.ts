/** Serves the Do Not Call list. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { readNumber } from '../../../src/phone/number.js'
import { list, listAll, numberToList } from '../../dialing/dnc.js'
import { dncOnWire } from '../../model/serialize/resources.js'
import { cursorNumber } from '../cursor.js'
import { created, ok, pageOf, type Handlers } from '../handler.js'

export const dncHandlers: Pick<Handlers, 'checkDnc' | 'addDnc' | 'addDncBatch' | 'listDnc' | 'removeDnc'> = {
  checkDnc: ({ organization, live }, { query }) => {
    if (query.phone.trim() === '')
      throw new Refusal('invalid_phone', 'Send the phone to be checked.', { param: 'phone' })
    // An unencoded plus arrives as a space (specification, GET /dnc/check).
    const phone = query.phone.replace(/^ (?=\d)/, '+')
    const number = readNumber(phone)
    const normalizedPhone = number.kind === 'invalid' ? null : number.e164
    return ok({ phone, normalizedPhone, onDncList: organization.dnc.has(normalizedPhone ?? phone), livemode: live })
  },
  addDnc: ({ organization }, { body }) => {
    const phone = numberToList(organization, body.phone)
    if (phone === null) throw new Refusal('invalid_phone', 'The phone is not a telephone number.', { param: 'phone' })
    const entry = list(organization, phone, 'api')
    if (!entry)
      throw new Refusal('duplicate_dnc_entry', `${phone} is on the Do Not Call list already.`, { param: 'phone' })
    return created(dncOnWire(organization, entry))
  },
  addDncBatch: ({ organization }, { body }) => ok(listAll(organization, body.phones, 'api')),
  listDnc: ({ organization }, { query }) => {
    const before = cursorNumber(query.cursor, (id) => organization.dnc.number(id), 'cursor')
    const rows = organization.dnc.page(query.search?.replaceAll(/[\s().-]/g, ''), before, query.limit + 1)
    return pageOf(rows, query.limit, (entry) => dncOnWire(organization, entry))
  },
  removeDnc: ({ organization }, { params }) => {
    const entry = organization.dnc.byId(params.id)
    if (!entry) throw new Refusal('not_found', 'There is no such entry.')
    organization.dnc.remove(entry)
    return ok(dncOnWire(organization, entry))
  },
}
