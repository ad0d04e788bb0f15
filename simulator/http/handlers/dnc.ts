/** Serves the Do Not Call list (rules N1 to N3). */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { parsePhone } from '../../../src/phone/number.js'
import { addToDnc, addAllToDnc, parseDncNumber } from '../../dialing/dnc.js'
import { serializeDncEntry } from '../../model/serialize/resources.js'
import { cursorNumber } from '../cursor.js'
import { replyCreated, replyOk, replyPage, type Handlers } from '../handler.js'

export const dncHandlers: Pick<Handlers, 'checkDnc' | 'addDnc' | 'addDncBatch' | 'listDnc' | 'removeDnc'> = {
  checkDnc: ({ tenant, live }, { query }) => {
    if (query.phone.trim() === '')
      throw new ApiError('invalid_phone', 'Send the phone to be checked.', { param: 'phone' })
    // An unencoded plus arrives as a space (rule N2).
    const phone = query.phone.replace(/^ (?=\d)/, '+')
    const number = parsePhone(phone)
    const normalizedPhone = number.kind === 'invalid' ? null : number.e164
    return replyOk({
      phone,
      normalizedPhone,
      onDncList: tenant.dnc.has(normalizedPhone ?? phone),
      livemode: live,
    })
  },
  addDnc: ({ tenant }, { body }) => {
    const phone = parseDncNumber(tenant, body.phone)
    if (phone === null) throw new ApiError('invalid_phone', 'The phone is not a telephone number.', { param: 'phone' })
    const entry = addToDnc(tenant, phone, 'api')
    if (!entry)
      throw new ApiError('duplicate_dnc_entry', `${phone} is on the Do Not Call list already.`, { param: 'phone' })
    return replyCreated(serializeDncEntry(tenant, entry))
  },
  addDncBatch: ({ tenant }, { body }) => replyOk(addAllToDnc(tenant, body.phones, 'api')),
  listDnc: ({ tenant }, { query }) => {
    const before = cursorNumber(query.cursor, (id) => tenant.dnc.number(id), 'cursor')
    const rows = tenant.dnc.page(query.search?.replaceAll(/[\s().-]/g, ''), before, query.limit + 1)
    return replyPage(rows, query.limit, (entry) => serializeDncEntry(tenant, entry))
  },
  removeDnc: ({ tenant }, { params }) => {
    const entry = tenant.dnc.byId(params.id)
    if (!entry) throw new ApiError('not_found', 'There is no such entry.')
    tenant.dnc.remove(entry)
    return replyOk(serializeDncEntry(tenant, entry))
  },
}
