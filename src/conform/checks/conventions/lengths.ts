/** Checks of the longest texts (rule L6). */
import {
  addressLength,
  consentSourceLength,
  consentTextLength,
  dncSearchLength,
  emailLength,
  externalIdLength,
  fieldsPerLead,
  nameLength,
  optOutReasonLength,
  phoneLength,
} from '../../../contract/limits.js'
import type { Lead } from '../../../contract/leads.js'
import { withExtras, type Check } from '../../check.js'
import { accepted, page, refused } from '../../expect.js'
import { consent, dialedLead, dryRun } from '../../fixtures/leads.js'

const text = (length: number): string => 'x'.repeat(length)
const manyFields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`field${n}`, 'x']))

/** Each field of a new lead with its longest value and a value that is too long. */
const longest: readonly (readonly [param: string, fits: (length: number) => object, most: number])[] = [
  ['external_id', (length) => ({ external_id: text(length) }), externalIdLength],
  ['name', (length) => ({ name: text(length) }), nameLength],
  ['email', (length) => ({ email: text(length) }), emailLength],
  ['address', (length) => ({ address: text(length) }), addressLength],
  ['fields', (length) => ({ fields: manyFields(length) }), fieldsPerLead],
  ['consent.source', (length) => ({ consent: { ...consent, source: text(length) } }), consentSourceLength],
  ['consent.text', (length) => ({ consent: { ...consent, text: text(length) } }), consentTextLength],
]

export const lengthChecks: readonly Check[] = withExtras(
  [
    ...longest.map(([param, fits, most]): Check => ({
      rule: 'L6',
      group: 'limits',
      title: `${param} of a lead has at most ${most} ${param === 'fields' ? 'fields' : 'characters'}`,
      needs: ['leads:write'],
      run: async (session) => {
        refused(await dryRun(session, fits(most + 1)), 'invalid_request', { param })
      },
    })),
    {
      rule: 'L6',
      group: 'limits',
      title: 'A lead with the longest texts is accepted',
      needs: ['leads:write'],
      run: async (session) => {
        const phone = session.madeUp.phone().padStart(phoneLength)
        const own = { consent: { ...consent, source: text(consentSourceLength), text: text(consentTextLength) }, phone }
        const others = longest.filter(([param]) => !param.startsWith('consent')).map(([, fits, most]) => fits(most))
        accepted(await dryRun(session, Object.assign({}, ...others, own) as object))
      },
    },
    {
      rule: 'L6',
      group: 'limits',
      title: `phone of a lead has at most ${phoneLength} characters`,
      needs: ['leads:write'],
      run: async (session) => {
        const phone = session.madeUp.phone().padStart(phoneLength + 1)
        refused(await dryRun(session, { phone }), 'invalid_request', { param: 'phone' })
      },
    },
    {
      rule: 'L6',
      group: 'limits',
      title: 'PATCH keeps the same lengths, and merged fields are at most 50',
      needs: ['leads:write', 'leads:read'],
      run: async (session) => {
        const { id } = await dialedLead(session)
        refused(await session.patch(`/leads/${id}`, { name: text(nameLength + 1) }), 'invalid_request', {
          param: 'name',
        })
        const before = accepted<Lead>(await session.get(`/leads/${id}`))
        const fields = manyFields(fieldsPerLead)
        const room = fieldsPerLead - Object.keys(before.fields).filter((name) => !(name in fields)).length
        if (room === fieldsPerLead) return
        refused(await session.patch(`/leads/${id}`, { fields }), 'invalid_request', { param: 'fields' })
      },
    },
    {
      rule: 'L6',
      group: 'limits',
      title: `The reason of an opt-out has at most ${optOutReasonLength} characters`,
      needs: ['leads:write'],
      run: async (session) => {
        const path = `/leads/${session.madeUp.uuid()}/opt_out`
        refused(await session.post(path, { reason: text(optOutReasonLength + 1) }), 'invalid_request', {
          param: 'reason',
        })
        refused(await session.post(path, { reason: text(optOutReasonLength) }), 'not_found')
      },
    },
    {
      rule: 'L6',
      group: 'limits',
      title: `A search of the Do Not Call list has at most ${dncSearchLength} characters`,
      needs: ['dnc:read'],
      run: async (session) => {
        page(await session.get(`/dnc?search=${'9'.repeat(dncSearchLength)}`))
        const reply = await session.get(`/dnc?search=${'9'.repeat(dncSearchLength + 1)}`)
        refused(reply, 'invalid_request', { param: 'search' })
      },
    },
  ],
  'email of',
  'address of',
  'consent.text of',
  'consent.source of',
  'name of',
  'PATCH keeps the same lengths',
  'A search of',
  'The reason of an opt-out',
)
