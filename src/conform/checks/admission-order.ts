/** Checks of the order of the admission checks, by dry runs of leads that fail two of them (rule A1). */
import type { ErrorCode } from '../../contract/errors/error-codes.js'
import type { Check } from '../check.js'
import { cannotAsk, equals, expects, refused } from '../expect.js'
import {
  consentCampaign,
  dialedLead,
  dryRun,
  dryRunBatch,
  invalidPhone,
  listedNumber,
  listNumber,
  premiumPhone,
  readLead,
} from '../fixtures/leads.js'
import type { Session } from '../session.js'

/** The saved lead's external_id, which makes a lead of the same campaign a duplicate. */
async function takenExternalId(session: Session): Promise<string> {
  if ((await session.campaign()).duplicate_window_days === 0) cannotAsk('the campaign has no duplicate window')
  const { id, isNew, sent } = await dialedLead(session)
  if (isNew) return String(sent['external_id'])
  return session.keep('the external_id of the lead', async () => {
    const { lead } = await readLead(session, id)
    return lead.external_id ?? cannotAsk('the lead of an earlier run has no external_id')
  })
}

async function listedPremium(session: Session): Promise<string> {
  return session.keep('a premium-rate number on the Do Not Call list', async () => {
    await listNumber(session, premiumPhone)
    return premiumPhone
  })
}

interface Pair {
  first: string
  then: string
  /** A lead that fails both checks. */
  lead: (session: Session) => Promise<object>
  code: ErrorCode
}

/** Leads that fail two checks of rule A1. The answer must name the earlier one. */
const pairs: readonly Pair[] = [
  {
    first: 'campaign',
    then: 'phone',
    lead: async (session) => ({ campaign_id: session.madeUp.uuid(), phone: invalidPhone }),
    code: 'not_found',
  },
  {
    first: 'campaign',
    then: 'allowed number',
    lead: async (session) => ({ campaign_id: session.madeUp.uuid(), phone: premiumPhone }),
    code: 'not_found',
  },
  {
    first: 'campaign',
    then: 'Do Not Call list',
    lead: async (session) => ({ campaign_id: session.madeUp.uuid(), phone: await listedNumber(session) }),
    code: 'not_found',
  },
  {
    first: 'phone',
    then: 'duplicate',
    lead: async (session) => ({ phone: invalidPhone, external_id: await takenExternalId(session) }),
    code: 'invalid_phone',
  },
  {
    first: 'phone',
    then: 'consent',
    lead: async (session) => ({
      phone: invalidPhone,
      campaign_id: (await consentCampaign(session)).id,
      consent: undefined,
    }),
    code: 'invalid_phone',
  },
  {
    first: 'allowed number',
    then: 'Do Not Call list',
    lead: async (session) => ({ phone: await listedPremium(session) }),
    code: 'number_not_allowed',
  },
  {
    first: 'allowed number',
    then: 'duplicate',
    lead: async (session) => ({ phone: premiumPhone, external_id: await takenExternalId(session) }),
    code: 'number_not_allowed',
  },
  {
    first: 'allowed number',
    then: 'consent',
    lead: async (session) => ({
      phone: premiumPhone,
      campaign_id: (await consentCampaign(session)).id,
      consent: undefined,
    }),
    code: 'number_not_allowed',
  },
  {
    first: 'Do Not Call list',
    then: 'duplicate',
    lead: async (session) => ({ phone: await listedNumber(session), external_id: await takenExternalId(session) }),
    code: 'on_dnc_list',
  },
  {
    first: 'Do Not Call list',
    then: 'consent',
    lead: async (session) => ({
      phone: await listedNumber(session),
      campaign_id: (await consentCampaign(session)).id,
      consent: undefined,
    }),
    code: 'on_dnc_list',
  },
]

export const admissionOrder: readonly Check[] = [
  ...pairs.map(({ first, then, lead, code }): Check => ({
    rule: 'A1',
    group: 'leads',
    title: `The check of ${first} comes before the check of ${then}`,
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      refused(await dryRun(session, await lead(session)), code)
    },
  })),
  {
    rule: 'A1',
    group: 'leads',
    title: 'The check of duplicate comes before the check of consent',
    needs: ['leads:write'],
    run: async (session) => {
      const { id: campaign_id, duplicate_window_days } = await consentCampaign(session)
      if (duplicate_window_days === 0) cannotAsk('the campaign has no duplicate window')
      const phone = session.madeUp.phone()
      const { reply, results } = await dryRunBatch(session, [
        { campaign_id, phone },
        { campaign_id, phone, consent: undefined },
      ])
      expects(reply, results[0]?.ok === true, 'the first lead accepted')
      equals(reply, 'code of the second lead', results[1]?.error?.code, 'duplicate_lead')
    },
  },
]
