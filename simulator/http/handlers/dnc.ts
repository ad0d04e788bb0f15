/** Serves the Do Not Call list (rules N1 to N3). */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { parsePhone } from '../../../src/phone/number.js'
import { addToDnc, addAllToDnc, parseDncNumber } from '../../dialing/dnc.js'
import { serializeDncEntry } from '../../model/serialize/resources.js'
import { cursorNumber } from '../cursor.js'
import { replyCreated, replyOk, replyPage, type Handlers } from '../handler.js'

export const dncHandlers: Pick<Handlers, 'checkDnc' | 'addDnc' | 'addDncBatch' | 'listDnc' | 'removeDnc'> = {
  checkDnc: ({ organization, live }, { query }) => {
    if (query.phone.trim() === '')
      throw new ApiError('invalid_phone', 'Send the phone to be checked.', { param: 'phone' })
    // An unencoded plus arrives as a space (rule N2).
    const phone = query.phone.replace(/^ (?=\d)/, '+')
    const number = parsePhone(phone)
    const normalizedPhone = number.kind === 'invalid' ? null : number.e164
    return replyOk({
      phone,
      normalizedPhone,
      onDncList: organization.dnc.has(normalizedPhone ?? phone),
      livemode: live,
    })
  },
  addDnc: ({ organization }, { body }) => {
    const phone = parseDncNumber(organization, body.phone)
    if (phone === null) throw new ApiError('invalid_phone', 'The phone is not a telephone number.', { param: 'phone' })
    const entry = addToDnc(organization, phone, 'api')
    if (!entry)
      throw new ApiError('duplicate_dnc_entry', `${phone} is on the Do Not Call list already.`, { param: 'phone' })
    return replyCreated(serializeDncEntry(organization, entry))
  },
  addDncBatch: ({ organization }, { body }) => replyOk(addAllToDnc(organization, body.phones, 'api')),
  listDnc: ({ organization }, { query }) => {
    const before = cursorNumber(query.cursor, (id) => organization.dnc.number(id), 'cursor')
    const rows = organization.dnc.page(query.search?.replaceAll(/[\s().-]/g, ''), before, query.limit + 1)
    return replyPage(rows, query.limit, (entry) => serializeDncEntry(organization, entry))
  },
  removeDnc: ({ organization }, { params }) => {
    const entry = organization.dnc.byId(params.id)
    if (!entry) throw new ApiError('not_found', 'There is no such entry.')
    organization.dnc.remove(entry)
    return replyOk(serializeDncEntry(organization, entry))
  },
}
