/** Checks of the RateLimit headers over several requests (rule L2). */
import type { Check } from '../../check.js'
import { accepted, cannotAsk, expects } from '../../expect.js'
import type { Session } from '../../session.js'

/** The headers of one request. Throws if the deployment does not limit requests. */
async function allowance(session: Session) {
  const reply = await session.get('/campaigns?limit=1')
  accepted(reply)
  const { 'ratelimit-limit': limit, 'ratelimit-remaining': remaining, 'ratelimit-reset': reset } = reply.headers
  if (limit === undefined) cannotAsk('the deployment enforces no limits')
  return { reply, limit, remaining: Number(remaining), reset: Number(reset) }
}

export const rateHeaderChecks: readonly Check[] = [
  {
    rule: 'L2',
    group: 'headers',
    title: 'RateLimit-Remaining falls with each request of a minute',
    needs: ['campaigns:read'],
    run: async (session) => {
      let [first, second] = [await allowance(session), await allowance(session)]
      // A new minute has begun between the two.
      if (second.reset > first.reset) [first, second] = [second, await allowance(session)]
      if (second.limit !== first.limit) cannotAsk('the limit changed between two requests')
      const fell = second.remaining < first.remaining || first.remaining === 0
      expects(second.reply, fell, `RateLimit-Remaining below ${first.remaining}`)
    },
  },
  {
    rule: 'L2',
    group: 'headers',
    title: 'RateLimit-Reset counts the seconds to the next minute',
    needs: ['campaigns:read'],
    run: async (session) => {
      const { reply, reset } = await allowance(session)
      const date = Date.parse(reply.headers['date'] ?? '')
      if (Number.isNaN(date)) cannotAsk('replies have no Date header')
      const left = 60 - (new Date(date).getUTCSeconds() % 60)
      // The clocks of a server and of a proxy in front of it can differ a little.
      const apart = Math.min(Math.abs(reset - left), 60 - Math.abs(reset - left))
      expects(reply, reset >= 1 && reset <= 60 && apart <= 5, `RateLimit-Reset of about ${left}`)
    },
  },
]
