/** Checks of batches of leads (rules A6 and L5). */
import { leadsPerBatch } from '../../contract/limits.js'
import type { LeadBatchResult } from '../../contract/new-leads.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, refused } from '../expect.js'
import { dialedLead, dryRunBatch, invalidPhone, premiumPhone } from '../fixtures/leads.js'

export const batchChecks: readonly Check[] = withExtras(
  [
    {
      rule: 'A6',
      group: 'batch',
      title: 'Each lead has its own result, in the order sent',
      needs: ['leads:write'],
      run: async (session) => {
        const external_id = session.madeUp.name('batch')
        const { reply, results } = await dryRunBatch(session, [
          { phone: session.madeUp.phone(), external_id },
          { phone: invalidPhone },
          { phone: session.madeUp.phone() },
          { phone: premiumPhone },
        ])
        equals(
          reply,
          'index of the results',
          results.map(({ index }) => index),
          [0, 1, 2, 3],
        )
        equals(
          reply,
          'codes of the results',
          results.map(({ ok, error }) => (ok ? null : error?.code)),
          [null, 'invalid_phone', null, 'number_not_allowed'],
        )
        contains(reply, results[0]?.lead ?? {}, { id: null, external_id, dry_run: true })
        contains(reply, accepted<LeadBatchResult>(reply), { succeeded: 2, failed: 2, dry_run: true })
        refused(await session.get(`/leads?external_id=${external_id}`), 'not_found')
      },
    },
    {
      rule: 'A6',
      group: 'batch',
      title: 'A malformed lead refuses the whole batch and is named',
      needs: ['leads:write'],
      run: async (session) => {
        const { id: campaign_id } = await session.campaign()
        const leads = [{ phone: session.madeUp.phone() }, { phone: session.madeUp.phone(), svc_conform: 1 }]
        const unknown = await session.post('/leads/batch', { campaign_id, dry_run: true, leads })
        refused(unknown, 'invalid_request', { param: 'leads[1].svc_conform' })
        const missing = await session.post('/leads/batch', { campaign_id, dry_run: true, leads: [leads[0], {}] })
        refused(missing, 'invalid_request', { param: 'leads[1].phone' })
      },
    },
    {
      rule: 'A6',
      group: 'batch',
      title: "A lead's own campaign comes before the campaign of the batch",
      needs: ['leads:write'],
      run: async (session) => {
        const { reply, results } = await dryRunBatch(session, [
          { phone: session.madeUp.phone(), campaign_id: session.madeUp.uuid() },
          { phone: session.madeUp.phone() },
        ])
        equals(reply, 'code of the first lead', results[0]?.error?.code, 'not_found')
        equals(reply, 'ok of the second lead', results[1]?.ok, true)
      },
    },
    {
      rule: 'A6',
      group: 'batch',
      title: 'A lead without a campaign is refused',
      needs: ['leads:write'],
      run: async (session) => {
        const reply = await session.post('/leads/batch', { dry_run: true, leads: [{ phone: session.madeUp.phone() }] })
        refused(reply, 'invalid_request', { param: 'leads[0].campaign_id' })
      },
    },
    {
      rule: 'A6',
      group: 'batch',
      title: 'A batch in the path of a campaign takes no campaign in its body',
      needs: ['leads:write'],
      run: async (session) => {
        const { id } = await session.campaign()
        const leads = [{ phone: session.madeUp.phone() }, { phone: invalidPhone }]
        const reply = await session.post(`/campaigns/${id}/leads/batch`, { dry_run: true, leads })
        equals(reply, 'number of results', accepted<LeadBatchResult>(reply).results.length, 2)
        const named = await session.post(`/campaigns/${id}/leads/batch`, { campaign_id: id, dry_run: true, leads })
        refused(named, 'invalid_request', { param: 'campaign_id' })
      },
    },
    {
      rule: 'A6',
      group: 'batch',
      title: 'A batch that is no dry run refuses a duplicate with its lead_id',
      needs: ['leads:write'],
      run: async (session) => {
        const { id: campaign_id, duplicate_window_days } = await session.campaign()
        if (duplicate_window_days === 0) cannotAsk('the campaign has no duplicate window')
        const { id } = await dialedLead(session)
        const reply = await session.post('/leads/batch', { campaign_id, leads: [{ phone: '+15550100001' }] })
        const { results, succeeded, failed, dry_run } = accepted<LeadBatchResult>(reply)
        const [result] = results
        expects(reply, result?.ok === false, 'a refused lead')
        // After an opt-out the number is on the list, which is checked first.
        if (result.error.code === 'on_dnc_list') cannotAsk('the reserved number is on the Do Not Call list')
        contains(reply, result.error, { code: 'duplicate_lead', lead_id: id })
        contains(reply, { succeeded, failed, dry_run }, { succeeded: 0, failed: 1, dry_run: false })
      },
    },
    {
      rule: 'L5',
      group: 'batch',
      title: 'A batch holds at most 60 leads',
      needs: ['leads:write'],
      run: async (session) => {
        const { id: campaign_id } = await session.campaign()
        const leads = Array.from({ length: leadsPerBatch + 1 }, () => ({ phone: invalidPhone }))
        const most = await session.post('/leads/batch', { campaign_id, dry_run: true, leads: leads.slice(1) })
        equals(most, 'failed', accepted<LeadBatchResult>(most).failed, leadsPerBatch)
        const reply = await session.post('/leads/batch', { campaign_id, dry_run: true, leads })
        refused(reply, 'invalid_request', { param: 'leads' })
      },
    },
  ],
  'A lead without a campaign',
)
