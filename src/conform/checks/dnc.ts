/** Checks of the Do Not Call list (rules N1 to N3). */
import type { DncBatchResult, DncCheck, DncEntry } from '../../contract/dnc.js'
import { dncNumbersPerBatch } from '../../contract/limits.js'
import { withExtras, type Check } from '../check.js'
import { accepted, contains, equals, expects, page, refused } from '../expect.js'
import { dryRun, listedNumber, listNumber, unlistAtEnd } from '../fixtures/leads.js'
import type { Session } from '../session.js'

const brackets = (phone: string): string => `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`

async function checkPhone(session: Session, query: string) {
  const reply = await session.get(`/dnc/check?phone=${query}`)
  return { reply, found: accepted<DncCheck>(reply) }
}

const adding: readonly Check[] = [
  {
    rule: 'N1',
    group: 'dnc',
    title: 'A number is listed in E.164 with source api',
    needs: ['dnc:write'],
    run: async (session) => {
      const phone = session.madeUp.phone()
      const { entry, reply } = await listNumber(session, brackets(phone))
      contains(reply, entry, { phone, source: 'api', livemode: session.isLive })
    },
  },
  {
    rule: 'N1',
    group: 'dnc',
    title: 'A number that is listed already gives 409, in any form',
    needs: ['dnc:write'],
    run: async (session) => {
      const phone = await listedNumber(session)
      for (const written of [phone, brackets(phone)])
        refused(await session.post('/dnc', { phone: written }), 'duplicate_dnc_entry', { param: 'phone' })
    },
  },
  {
    rule: 'N1',
    group: 'dnc',
    title: 'A text that is not a number cannot be listed',
    needs: ['dnc:write'],
    run: async (session) => {
      for (const phone of ['', '+12125550150'])
        refused(await session.post('/dnc', { phone }), 'invalid_phone', { param: 'phone' })
    },
  },
  {
    rule: 'N1',
    group: 'dnc',
    title: 'A batch lists each number on its own and names those that were not added',
    needs: ['dnc:write', 'dnc:read'],
    run: async (session) => {
      const listed = await listedNumber(session)
      const fresh = session.madeUp.phone()
      const reply = await session.post('/dnc/batch', { phones: ['svc', fresh, listed, brackets(fresh)] })
      const result = accepted<DncBatchResult>(reply)
      const search = await session.get(`/dnc?search=${encodeURIComponent(fresh)}`)
      const { items } = page<DncEntry>(search)
      for (const { id } of items) unlistAtEnd(session, id)
      contains(reply, result, { succeeded: 1, failed: 3, errors: ['svc', listed, brackets(fresh)] })
      equals(search, 'number of entries', items.length, 1)
    },
  },
  {
    rule: 'L5',
    group: 'dnc',
    title: 'A batch holds at most 100 numbers',
    needs: ['dnc:write'],
    run: async (session) => {
      const phones = Array.from({ length: dncNumbersPerBatch }, () => 'svc')
      const most = await session.post('/dnc/batch', { phones })
      contains(most, accepted<DncBatchResult>(most), { succeeded: 0, failed: dncNumbersPerBatch })
      refused(await session.post('/dnc/batch', { phones: [...phones, 'svc'] }), 'invalid_request', { param: 'phones' })
    },
  },
]

const checking: readonly Check[] = [
  {
    rule: 'N2',
    group: 'dnc',
    title: 'A number is checked in any common form',
    needs: ['dnc:read', 'dnc:write'],
    run: async (session) => {
      const phone = await listedNumber(session)
      for (const query of [encodeURIComponent(phone), phone, encodeURIComponent(brackets(phone))]) {
        const { reply, found } = await checkPhone(session, query)
        contains(reply, found, { normalizedPhone: phone, onDncList: true })
      }
    },
  },
  {
    rule: 'N2',
    group: 'dnc',
    title: 'A number that is not listed is answered with onDncList false',
    needs: ['dnc:read'],
    run: async (session) => {
      const phone = session.madeUp.phone()
      const { reply, found } = await checkPhone(session, encodeURIComponent(phone))
      contains(reply, found, { phone, normalizedPhone: phone, onDncList: false })
    },
  },
  {
    rule: 'N2',
    group: 'dnc',
    title: 'A number that cannot be read is compared as sent',
    needs: ['dnc:read'],
    run: async (session) => {
      const { reply, found } = await checkPhone(session, 'svc')
      contains(reply, found, { phone: 'svc', normalizedPhone: null, onDncList: false })
      refused(await session.get('/dnc/check'), 'invalid_phone', { param: 'phone' })
    },
  },
]

const listing: readonly Check[] = [
  {
    rule: 'N1',
    group: 'dnc',
    title: 'The list is searched by a part of the number',
    needs: ['dnc:read', 'dnc:write'],
    run: async (session) => {
      const phone = await listedNumber(session)
      const reply = await session.get(`/dnc?limit=100&search=${phone.slice(-7)}`)
      const { items } = page<DncEntry>(reply)
      expects(
        reply,
        items.some((entry) => entry.phone === phone),
        'the listed number',
      )
      for (const entry of items)
        expects(reply, entry.phone.includes(phone.slice(-7)), 'only numbers with the searched part')
    },
  },
  {
    rule: 'N3',
    group: 'dnc',
    title: 'A removed number is answered, is off the list, and can be called again',
    needs: ['dnc:read', 'dnc:write', 'leads:write'],
    run: async (session) => {
      const { entry, drop } = await listNumber(session, session.madeUp.phone())
      refused(await dryRun(session, { phone: entry.phone }), 'on_dnc_list')
      const reply = await session.del(`/dnc/${entry.id}`)
      contains(reply, accepted<DncEntry>(reply), { ...entry })
      drop()
      const { reply: check, found } = await checkPhone(session, encodeURIComponent(entry.phone))
      equals(check, 'onDncList', found.onDncList, false)
      accepted(await dryRun(session, { phone: entry.phone }))
      refused(await session.del(`/dnc/${entry.id}`), 'not_found')
    },
  },
]

export const dncChecks: readonly Check[] = withExtras(
  [...adding, ...checking, ...listing],
  'A text that is not a number cannot',
  'is answered with onDncList false',
  'checked in any common form',
  'is compared as sent',
)
