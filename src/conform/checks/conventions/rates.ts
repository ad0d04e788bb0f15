/** Checks of the rate limits (rules L1 to L4, C7). */
import { setTimeout } from 'node:timers/promises'
import { authorizationHeader } from '../../../client/authorization.js'
import { newLeadsPerMinute, requestBurst, requestsPerMinute, simultaneousRequests } from '../../../contract/limits.js'
import type { Check } from '../../check.js'
import { cannotAsk, expects, refused } from '../../expect.js'
import { invalidPhone } from '../../fixtures/leads.js'
import { holdRequests } from '../../requests/held-requests.js'
import type { Reply } from '../../requests/reply.js'
import type { Session } from '../../session.js'

interface Burst {
  /** The reply to a request while 20 others were under way. */
  above: Reply
  /** Requests that were taken at once before the first rate_limited, and the reply that was refused, if one was. */
  taken: number
  refusedReply: Reply | undefined
  last: Reply
  /** Milliseconds from the first request to the last. */
  tookMs: number
}

const probePath = '/campaigns?limit=1'
const atOnceMax = 25
const limitedMax = 60
const arrivalMs = 100

/** Holds 20 requests, sends one more, and then as many as are taken at once. It runs first, while the burst is unused. */
const burst = (session: Session): Promise<Burst> =>
  session.keep('requests at once', async () => {
    const { requester } = session.options
    const { baseUrl, key, clock, pace } = requester.options
    if (pace.perMinute !== null && pace.perMinute < requestsPerMinute)
      cannotAsk('it needs more requests at once than --requests-per-minute allows')
    await pace.rest()
    const began = clock.now()
    const ask = { takes429: true, unpaced: true }
    const held = await holdRequests(simultaneousRequests, new URL(`${baseUrl}/dnc`), {
      Authorization: authorizationHeader(key),
    })
    let above: Reply
    try {
      // The held requests may still be on their way.
      await setTimeout(arrivalMs)
      above = await session.get(probePath, ask)
      if (above.status !== 429) {
        await setTimeout(3 * arrivalMs)
        above = await session.get(probePath, ask)
      }
    } finally {
      held.release()
    }
    pace.drain(simultaneousRequests + 1)
    const counted = above.code === 'too_many_concurrent_requests' ? simultaneousRequests : 0
    return { above, ...(await sendUntilRefused(session, counted, began)) }
  })

async function sendUntilRefused(session: Session, counted: number, began: number) {
  const { clock, pace } = session.options.requester.options
  for (let taken = counted; ; taken++) {
    const reply = await session.get(probePath, { takes429: true, unpaced: true })
    const tookMs = clock.now() - began
    // The held requests may need a moment to end.
    if (reply.code === 'too_many_concurrent_requests') {
      await pace.sleep(50, 'the held requests')
      taken--
    } else if (reply.code === 'rate_limited') return { taken, refusedReply: reply, last: reply, tookMs }
    else {
      pace.drain(1)
      const count = taken + 1
      // Without limits there is nothing to meet. With them, more than the rule allows is enough to know.
      const isEnough = hasUsualLimits(reply) ? count > mostWithin(tookMs) || count >= limitedMax : count >= atOnceMax
      if (isEnough) return { taken: count, refusedReply: undefined, last: reply, tookMs }
    }
  }
}

/** How many requests a key with the usual limits may send in a time, if it sent none before. */
const mostWithin = (ms: number): number => Math.floor(requestBurst + (ms / 60_000) * requestsPerMinute)

/** Whether the key has the usual limits, as far as its headers show. */
const hasUsualLimits = (reply: Reply): boolean => Number(reply.headers['ratelimit-limit']) === requestsPerMinute

export const rateChecks: readonly Check[] = [
  {
    rule: 'L1',
    group: 'limits',
    title: 'One request more than 20 at the same time is refused',
    run: async (session) => {
      const { above } = await burst(session)
      if (above.status !== 429)
        cannotAsk('21 requests at once were taken: the deployment has no such limit, or a proxy holds requests back')
      if (above.code === 'rate_limited') cannotAsk('the key may have a higher limit than its burst')
      refused(above, 'too_many_concurrent_requests')
    },
  },
  {
    rule: 'L2',
    group: 'limits',
    title: 'A key sends at most 20 requests at once, with 2 more each second',
    run: async (session) => {
      const { taken, refusedReply, last, tookMs } = await burst(session)
      if (refusedReply) refused(refusedReply, 'rate_limited')
      const limited = refusedReply !== undefined || last.headers['ratelimit-limit'] !== undefined
      if (!limited) cannotAsk('the deployment enforces no limits')
      if (!hasUsualLimits(last)) cannotAsk('the key has other limits than the usual ones')
      const most = mostWithin(tookMs)
      expects(last, taken <= most, `at most ${most} requests within ${tookMs} ms, not ${taken}`)
    },
  },
  {
    rule: 'L4',
    group: 'limits',
    title: 'Waiting as long as Retry-After says is enough',
    run: async (session) => {
      const { refusedReply } = await burst(session)
      if (!refusedReply) cannotAsk('no limit was met')
      const { pace } = session.options.requester.options
      const seconds = Number(refusedReply.headers['retry-after'])
      expects(refusedReply, Number.isInteger(seconds) && seconds >= 1, 'Retry-After in whole seconds, at least 1')
      await pace.sleep(seconds * 1000, 'Retry-After')
      const reply = await session.get(probePath, { takes429: true, unpaced: true })
      pace.drain(1)
      expects(reply, reply.status !== 429, 'another status than 429')
    },
  },
  {
    rule: 'C7',
    group: 'limits',
    title: 'A deployment that limits requests says so in RateLimit headers',
    run: async (session) => {
      const { refusedReply } = await burst(session)
      if (!refusedReply) cannotAsk('no limit was met')
      for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
        expects(refusedReply, refusedReply.headers[name.toLowerCase()] !== undefined, `a ${name} header`)
    },
  },
]

const minuteMs = 60_000

/** Leads of this run that the limit still counts. Waits for those that it may count or not. */
async function leadsOfLastMinute({ options: { requester } }: Session): Promise<number> {
  const { clock, pace } = requester.options
  const nearlyOver = () =>
    requester.sentLeads.since(clock.now() - minuteMs - 2_000) - requester.sentLeads.since(clock.now() - 45_000)
  while (nearlyOver() > 0) await pace.sleep(1_000, 'leads of the last minute')
  return requester.sentLeads.since(clock.now() - minuteMs)
}

/** Refused leads count as well, so that this saves none. It runs last: afterwards the key can send no leads for a minute. */
export const leadRateChecks: readonly Check[] = [
  {
    rule: 'L3',
    group: 'limits',
    title: 'A key sends at most 60 new leads in 60 seconds; each lead of a batch counts',
    needs: ['leads:write'],
    run: async (session) => {
      const { id: campaign_id } = await session.campaign()
      const { pace } = session.options.requester.options
      const send = async (count: number): Promise<Reply> => {
        const leads = Array.from({ length: count }, () => ({ phone: invalidPhone }))
        for (let left = 8; ; left--) {
          const reply = await session.post('/leads/batch', { campaign_id, leads }, { takes429: true })
          if (reply.code !== 'rate_limited' || left === 0) return reply
          await pace.sleep(1_000, 'the rate limit')
        }
      }
      const first = await send(newLeadsPerMinute - (await leadsOfLastMinute(session)))
      if (first.headers['ratelimit-limit'] === undefined) cannotAsk('the deployment enforces no limits')
      if (!hasUsualLimits(first)) cannotAsk('the key has other limits than the usual ones')
      if (first.code === 'lead_rate_limited') cannotAsk('the key sent other leads in the last minute')
      const reply = await send(1)
      refused(reply, 'lead_rate_limited')
      const seconds = Number(reply.headers['retry-after'])
      expects(reply, seconds >= 1 && seconds <= 60, 'Retry-After of 1 to 60 seconds')
    },
  },
]
