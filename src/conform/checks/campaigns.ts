/** Checks of campaigns: reading, pausing and starting, and held leads (rules D12, A2, C3). */
import type { Campaign } from '../../contract/campaigns.js'
import type { Lead } from '../../contract/leads.js'
import type { LeadAccepted } from '../../contract/new-leads.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, page, refused } from '../expect.js'
import { dryRunBatch, heldLead, pauseCampaign, readLead } from '../fixtures/leads.js'

const reading: readonly Check[] = [
  {
    rule: 'C3',
    group: 'campaigns',
    title: 'A campaign is read as it is listed',
    needs: ['campaigns:read'],
    run: async (session) => {
      const { items } = page<Campaign>(await session.get('/campaigns'))
      const [first] = items
      if (!first) cannotAsk('the key sees no campaign')
      const reply = await session.get(`/campaigns/${first.id}`)
      const { id, name, lines, calling_hours, created } = first
      contains(reply, accepted<Campaign>(reply), { id, name, lines, calling_hours, created })
    },
  },
  {
    rule: 'C3',
    group: 'campaigns',
    title: 'Campaigns are filtered by status',
    needs: ['campaigns:read'],
    run: async (session) => {
      const all = await session.campaigns()
      for (const status of ['running', 'completed'] as const) {
        const reply = await session.get(`/campaigns?limit=100&status=${status}`)
        const { items } = page<Campaign>(reply)
        for (const campaign of items) equals(reply, 'status', campaign.status, status)
        if (all.some((one) => one.status === status)) expects(reply, items.length > 0, `the ${status} campaigns`)
      }
      refused(await session.get('/campaigns?status=svc'), 'invalid_request', { param: 'status' })
    },
  },
]

const closed: readonly Check[] = (['start', 'pause'] as const).map((action) => ({
  rule: 'A2',
  group: 'campaigns',
  title: `A completed campaign refuses ${action}`,
  needs: ['campaigns:read', 'campaigns:write'],
  run: async (session) => {
    const completed = (await session.campaigns()).find(({ status }) => status === 'completed')
    if (!completed) cannotAsk('no campaign is completed')
    refused(await session.post(`/campaigns/${completed.id}/${action}`), 'campaign_closed')
  },
}))

const holds: readonly Check[] = [
  {
    rule: 'D12',
    group: 'campaigns',
    title: 'Starting a campaign that runs changes nothing',
    needs: ['campaigns:read', 'campaigns:write'],
    run: async (session) => {
      const { id, status } = await session.campaign()
      if (status !== 'running') cannotAsk(`the campaign is ${status}`)
      if (!session.isRunning) cannotAsk('the campaign is paused for other checks')
      const reply = await session.post(`/campaigns/${id}/start`)
      equals(reply, 'status', accepted<Campaign>(reply).status, 'running')
    },
  },
  {
    rule: 'D12',
    group: 'campaigns',
    title: 'Pausing a campaign answers it as paused, also the second time',
    needs: ['campaigns:read', 'campaigns:write'],
    run: async (session) => {
      const { campaign, reply } = await pauseCampaign(session)
      equals(reply, 'status', campaign.status, 'paused')
      const again = await session.post(`/campaigns/${campaign.id}/pause`)
      contains(again, accepted<Campaign>(again), { status: 'paused', updated: campaign.updated })
    },
  },
  {
    rule: 'D12',
    group: 'campaigns',
    title: 'A lead of a paused campaign is held, whatever its number',
    needs: ['campaigns:read', 'campaigns:write', 'leads:write'],
    run: async (session) => {
      await pauseCampaign(session)
      // Somewhere it is outside the calling hours.
      const { reply, results } = await dryRunBatch(
        session,
        ['212', '808', '709'].map((areaCode) => ({ phone: session.madeUp.phone(areaCode) })),
      )
      for (const { lead } of results)
        contains(reply, lead ?? {}, {
          status: 'held',
          held_reason: 'campaign_paused',
          scheduled_for: null,
          scheduled_reason: null,
          place_in_line: null,
        })
    },
  },
  {
    rule: 'D12',
    group: 'campaigns',
    title: 'A lead saved in a paused campaign is held',
    needs: ['campaigns:read', 'campaigns:write', 'leads:write', 'leads:read'],
    run: async (session) => {
      const { isNew, reply } = await heldLead(session)
      if (!isNew) cannotAsk('the reserved number has a lead of an earlier run')
      contains(reply, accepted<LeadAccepted>(reply, 201), { status: 'held', held_reason: 'campaign_paused' })
    },
  },
]

const isReleased = ({ status, held_reason }: Lead): boolean => status !== 'held' || held_reason === 'spend_cap_reached'

/** Starts the campaign that the run paused. */
export const startAgainChecks: readonly Check[] = [
  {
    rule: 'D12',
    group: 'campaigns',
    title: 'Starting the campaign lifts the hold of its leads',
    needs: ['campaigns:read', 'campaigns:write', 'leads:write', 'leads:read'],
    run: async (session) => {
      const { id } = await heldLead(session)
      const { lead: before } = await readLead(session, id)
      const reply = await session.startPaused()
      if (!reply) cannotAsk('the campaign runs')
      equals(reply, 'status', accepted<Campaign>(reply).status, 'running')
      if (before.status !== 'held') cannotAsk(`the lead was ${before.status}`)
      const { lead, reply: read } = await readLead(session, id)
      expects(read, isReleased(lead), 'a lead that is dialing, on a call, queued, scheduled or done')
    },
  },
]

export const campaignChecks: readonly Check[] = withExtras(
  [...reading, ...closed, ...holds],
  'A campaign is read as it is listed',
  'Starting a campaign that runs',
  'Campaigns are filtered by status',
)
