/** Checks of the admission of leads, by dry runs: order, numbers, consent and calling hours (rules A1 to A5, D1 to D11). */
import type { ErrorCode } from '../../contract/errors/error-codes.js'
import type { Campaign } from '../../contract/campaigns.js'
import type { LeadAccepted } from '../../contract/new-leads.js'
import { acceptedStatuses } from '../../contract/new-leads.js'
import { evaluate } from '../../dialing/eligibility.js'
import { zoneKey } from '../../phone/zones.js'
import { withExtras, type Check } from '../check.js'
import { admissionOrder } from './admission-order.js'
import { accepted, cannotAsk, contains, expects, refused } from '../expect.js'
import {
  consentCampaign,
  invalidPhone,
  premiumPhone,
  consent,
  deploymentNow,
  dryRun,
  dryRunBatch,
} from '../fixtures/leads.js'
import type { Session } from '../session.js'

const jamaican = '+18762345678'

const campaigns: readonly Check[] = [
  {
    rule: 'A2',
    group: 'leads',
    title: 'A campaign that does not exist gives 404',
    needs: ['leads:write'],
    run: async (session) => {
      refused(await dryRun(session, { campaign_id: session.madeUp.uuid() }), 'not_found')
    },
  },
  {
    rule: 'A2',
    group: 'leads',
    title: 'A completed campaign accepts no leads',
    needs: ['leads:write'],
    run: async (session) => {
      const completed = (await session.campaigns()).find(({ status }) => status === 'completed')
      if (!completed) cannotAsk('no campaign is completed')
      refused(await dryRun(session, { campaign_id: completed.id }), 'campaign_closed')
      refused(await dryRun(session, { campaign_id: completed.id, phone: invalidPhone }), 'campaign_closed')
    },
  },
  {
    rule: 'D12',
    group: 'leads',
    title: 'A lead of a campaign that has not started is held',
    needs: ['leads:write'],
    run: async (session) => {
      const waiting = (await session.campaigns()).find(({ status }) => status === 'not_started')
      if (!waiting) cannotAsk('every campaign was started')
      const reply = await dryRun(session, { campaign_id: waiting.id })
      contains(reply, accepted(reply), { status: 'held', held_reason: 'campaign_not_started' })
    },
  },
]

/** Expects each phone of a batch of dry runs to be refused with a code, or accepted with null. */
function phones(
  rule: string,
  title: string,
  texts: (session: Session) => readonly string[],
  code: ErrorCode | null,
): Check {
  return {
    rule,
    group: 'leads',
    title,
    needs: ['leads:write'],
    run: async (session) => {
      const sent = texts(session)
      const { reply, results } = await dryRunBatch(
        session,
        sent.map((phone) => ({ phone })),
      )
      results.forEach((result, index) => {
        const found = result.ok ? null : result.error?.code
        expects(
          reply,
          found === code,
          `${code ?? 'acceptance'} for leads[${index}].phone, not ${found ?? 'acceptance'}`,
        )
      })
    },
  }
}

/** The three parts of a made-up number. */
function parts(session: Session): readonly [string, string, string] {
  const phone = session.madeUp.phone()
  return [phone.slice(2, 5), phone.slice(5, 8), phone.slice(8)]
}

const numbers: readonly Check[] = [
  phones(
    'A3',
    'A valid number is accepted in every common form',
    (session) =>
      [
        (area: string, exchange: string, line: string) => `(${area}) ${exchange}-${line}`,
        (area: string, exchange: string, line: string) => `${area}.${exchange}.${line}`,
        (area: string, exchange: string, line: string) => `1-${area}-${exchange}-${line}`,
        (area: string, exchange: string, line: string) => `+1 ${area} ${exchange} ${line}`,
        (area: string, exchange: string, line: string) => `${area}${exchange}${line}`,
      ].map((write) => write(...parts(session))),
    null,
  ),
  phones(
    'A3',
    'A text that is not a valid number is refused',
    () => ['', '212', 'svc', '+121255578', '+12125557812345', '+10125557812', '+12120557812'],
    'invalid_phone',
  ),
  phones(
    'D11',
    'Premium-rate and international numbers are refused',
    () => [premiumPhone, '+12129762345', jamaican, '+17872345678', '+442079460958', '011442079460958'],
    'number_not_allowed',
  ),
  phones(
    'T2',
    'Numbers that end in 555-0100 to 555-0199 are refused',
    () => ['+12125550100', '+12125550150', '+12125550199', '+15550100003', '+15550199999'],
    'invalid_phone',
  ),
  phones('T2', 'Numbers next to the made-up range are accepted', () => ['+12125550099', '+12125550200'], null),
  ...(
    [
      ['premium', premiumPhone],
      ['international', jamaican],
    ] as const
  ).map(([reason, phone]): Check => ({
    rule: 'D11',
    group: 'leads',
    title: `The refusal names the reason: ${reason}`,
    needs: ['leads:write'],
    run: async (session) => {
      refused(await dryRun(session, { phone }), 'number_not_allowed', { reason, param: 'phone' })
    },
  })),
]

const consents: readonly Check[] = [
  {
    rule: 'D7',
    group: 'leads',
    title: 'A campaign that requires consent refuses a lead without it',
    needs: ['leads:write'],
    run: async (session) => {
      const { id: campaign_id } = await consentCampaign(session)
      refused(await dryRun(session, { campaign_id, consent: undefined }), 'consent_required')
      accepted(await dryRun(session, { campaign_id }))
    },
  },
  {
    rule: 'D7',
    group: 'leads',
    title: 'A campaign that requires no consent accepts a lead without it',
    needs: ['leads:write'],
    run: async (session) => {
      const open = (await session.campaigns()).find(
        ({ consent_required, status }) => !consent_required && status !== 'completed',
      )
      if (!open) cannotAsk('every open campaign requires consent')
      accepted(await dryRun(session, { campaign_id: open.id, consent: undefined }))
    },
  },
  {
    rule: 'D7',
    group: 'leads',
    title: 'Consent needs a text or a URL',
    needs: ['leads:write'],
    run: async (session) => {
      const { source, agreed_at } = consent
      refused(await dryRun(session, { consent: { source, agreed_at } }), 'invalid_request', { param: 'consent.text' })
    },
  },
  {
    rule: 'D7',
    group: 'leads',
    title: 'The time of consent needs a zone',
    needs: ['leads:write'],
    run: async (session) => {
      const reply = await dryRun(session, { consent: { ...consent, agreed_at: '2026-01-05T10:00:00' } })
      refused(reply, 'invalid_request', { param: 'consent.agreed_at' })
    },
  },
]

const dryRuns: readonly Check[] = [
  {
    rule: 'A5',
    group: 'leads',
    title: 'A dry run answers 200 without an id',
    needs: ['leads:write'],
    run: async (session) => {
      const external_id = session.madeUp.name('dry')
      const reply = await dryRun(session, { external_id, call_now: true })
      const lead = accepted<LeadAccepted>(reply)
      contains(reply, lead, { id: null, dry_run: true, external_id, call_now: true })
      expects(reply, acceptedStatuses.includes(lead.status), `a status of ${acceptedStatuses.join(', ')}`)
    },
  },
  {
    rule: 'A5',
    group: 'leads',
    title: 'A dry run saves nothing',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const fields = { external_id: session.madeUp.name('dry'), phone: session.madeUp.phone() }
      accepted(await dryRun(session, fields))
      refused(await session.get(`/leads?external_id=${fields.external_id}`), 'not_found')
      accepted(await dryRun(session, fields))
    },
  },
  {
    rule: 'A5',
    group: 'leads',
    title: 'A dry run in the path of a campaign saves nothing',
    needs: ['leads:write', 'leads:read'],
    run: async (session) => {
      const { id } = await session.campaign()
      const fields = { external_id: session.madeUp.name('dry'), phone: session.madeUp.phone(), consent, dry_run: true }
      const reply = await session.post(`/campaigns/${id}/leads`, fields)
      contains(reply, accepted(reply), { id: null, dry_run: true })
      refused(await session.get(`/leads?external_id=${fields.external_id}`), 'not_found')
    },
  },
]

/** Area codes in many time zones, of two zones, and without an area. */
const areaCodes = ['212', '312', '303', '602', '213', '907', '808', '709', '306', '850', '800'] as const

const hours: readonly Check[] = [
  {
    rule: 'D2',
    group: 'leads',
    title: 'A lead outside the calling hours of its area code is scheduled for the first minute it can be called',
    needs: ['leads:write', 'dnc:write'],
    run: async (session) => {
      const campaign = await session.campaign()
      const sent = areaCodes.map((areaCode) => ({ phone: session.madeUp.phone(areaCode) }))
      const before = await deploymentNow(session)
      const { reply, results } = await dryRunBatch(session, sent)
      const after = await deploymentNow(session)
      sent.forEach(({ phone }, index) => {
        const expected = [before, after].map((now) => expectedStatus(campaign, phone, now))
        const lead = results[index]?.lead
        expects(reply, lead !== undefined, `leads[${index}] accepted`)
        const { scheduled_for, scheduled_reason, held_reason } = lead
        const status = lead.status === 'dialing' ? 'queued' : lead.status
        const found = JSON.stringify({ status, scheduled_for, scheduled_reason, held_reason })
        expects(reply, expected.includes(found), `${expected[0]} for leads[${index}] (area code ${areaCodes[index]})`)
      })
    },
  },
]

/** What the dialing rules say about a new lead with this number. */
function expectedStatus(campaign: Campaign, phone: string, now: number): string {
  const found = evaluate({
    now,
    lead: { zone: zoneKey(phone), not_before: null, not_before_reason: null },
    campaign,
    lastReached: null,
    isListed: false,
    isRetired: false,
  })
  const waits = found.status === 'scheduled' && found.scheduled_for !== null
  return JSON.stringify({
    status: found.status,
    scheduled_for: waits ? new Date(found.scheduled_for ?? 0).toISOString() : null,
    scheduled_reason: found.status === 'scheduled' ? 'outside_calling_hours' : null,
    held_reason: found.status === 'held' ? found.held_reason : null,
  })
}

export const admissionChecks: readonly Check[] = withExtras(
  [...admissionOrder, ...campaigns, ...numbers, ...consents, ...dryRuns, ...hours],
  'the reason: international',
  'in the path of a campaign',
)
