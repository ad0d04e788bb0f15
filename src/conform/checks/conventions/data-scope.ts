/** Checks of what a key sees: the data of its mode and of its campaigns (rules K2, K4, K5). */
import type { Lead } from '../../../contract/leads.js'
import type { Call } from '../../../contract/calls.js'
import type { Check } from '../../check.js'
import { cannotAsk, equals, expects, page, refused } from '../../expect.js'
import type { Reply } from '../../requests/reply.js'
import type { Session } from '../../session.js'

/** A list that several checks look at, asked once. */
const wholeList = (session: Session, path: string): Promise<Reply> =>
  session.keep(`the list ${path}`, () => session.get(path))

/** Need data to look at. */
export const scopeChecks: readonly Check[] = [
  {
    rule: 'K2',
    group: 'gate',
    title: 'A test key sees test data only',
    run: async (session) => {
      const lists = [
        '/leads?limit=100',
        '/calls?limit=100',
        '/dnc?limit=100',
        '/webhook_endpoints',
        '/events?limit=100',
      ]
      let asked = 0
      for (const path of lists) {
        const reply = await wholeList(session, path)
        if (reply.status === 403) continue
        for (const item of page<{ livemode?: boolean }>(reply).items) {
          equals(reply, 'livemode', item.livemode, session.isLive)
          asked++
        }
      }
      if (asked === 0) cannotAsk('there is no data yet')
    },
  },
  {
    rule: 'K4',
    group: 'gate',
    title: 'Leads and calls belong to campaigns that the key sees',
    needs: ['campaigns:read', 'leads:read', 'calls:read'],
    run: async (session) => {
      const campaigns = await session.campaigns()
      if (campaigns.length >= 100) cannotAsk('there are too many campaigns')
      const ids = new Set<string | null>(campaigns.map(({ id }) => id))
      for (const path of ['/leads?limit=100', '/calls?limit=100']) {
        const reply = await wholeList(session, path)
        for (const { campaign_id } of page<Lead | Call>(reply).items)
          expects(reply, campaign_id === null || ids.has(campaign_id), 'only campaigns of GET /campaigns')
      }
    },
  },
  {
    rule: 'K5',
    group: 'gate',
    title: 'An export needs a key for every campaign',
    needs: ['leads:read', 'calls:read'],
    run: async (session) => {
      if (await session.coversEveryCampaign()) cannotAsk('the key covers every campaign')
      const reply = await session.post('/exports', { exportType: 'leads' })
      const error = refused(reply, 'permission_denied')
      equals(reply, 'campaign_id', error['campaign_id'], null)
    },
  },
  {
    rule: 'K5',
    group: 'gate',
    title: 'A webhook endpoint for all campaigns needs a key for every campaign',
    needs: ['webhooks:write', 'leads:read', 'calls:read'],
    run: async (session) => {
      if (await session.coversEveryCampaign()) cannotAsk('the key covers every campaign')
      const reply = await session.post('/webhook_endpoints', { url: 'https://example.com/x', events: ['lead.late'] })
      const error = refused(reply, 'permission_denied')
      equals(reply, 'campaign_id', error['campaign_id'], null)
    },
  },
]
