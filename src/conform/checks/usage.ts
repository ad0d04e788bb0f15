/** Checks of usage (rules X3, X4 and T4). */
import { usageRefreshMinutes } from '../../contract/limits.js'
import type { Usage, UsageCounts } from '../../contract/usage.js'
import { withExtras, type Check } from '../check.js'
import { accepted, cannotAsk, contains, equals, expects, refused } from '../expect.js'
import type { Session } from '../session.js'

const counted = ['leads_added', 'calls', 'calls_connected', 'minutes'] as const

/** The usage with a query, asked once. */
const usage = (session: Session, query = '') =>
  session.keep(`the usage${query}`, async () => {
    const reply = await session.get(`/usage${query}`)
    return { reply, data: accepted<Usage>(reply) }
  })

const sum = (groups: readonly UsageCounts[], field: keyof UsageCounts): number =>
  groups.reduce((total, group) => total + group[field], 0)

/** The last month, without anything that is still counted. */
function monthBefore(period: string): string {
  const [year = 0, month = 0] = period.split('-').map(Number)
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
}

const grouped: readonly Check[] = (['key', 'campaign', 'day'] as const).map((by) => ({
  rule: 'X4',
  group: 'usage',
  title: `The groups by ${by} add up to the totals`,
  needs: ['usage:read'],
  run: async (session) => {
    const { reply, data } = await usage(session, `?group_by=${by}`)
    equals(reply, 'group_by', data.group_by, by)
    for (const field of counted) {
      const [total, groups] = [data.totals[field], sum(data.groups, field)]
      // Calls from unknown numbers belong to no campaign.
      const fits = by === 'campaign' ? groups <= total : groups === total
      expects(reply, fits, `groups with ${total} ${field} in total, not ${groups}`)
    }
    if (by !== 'campaign') equals(reply, 'requests of the groups', sum(data.groups, 'requests'), data.totals.requests)
    if (by === 'day')
      expects(
        reply,
        data.groups.every((one) => 'day' in one && one.day.startsWith(data.period)),
        `days of ${data.period}`,
      )
  },
}))

export const usageChecks: readonly Check[] = withExtras(
  [
    {
      rule: 'X4',
      group: 'usage',
      title: 'Usage is of the current month, in the time zone of the organization, counted every 5 minutes',
      needs: ['usage:read'],
      run: async (session) => {
        const { reply, data } = await usage(session)
        contains(reply, data, { object: 'usage', livemode: session.isLive, group_by: null, groups: [] })
        const updated = Date.parse(data.updated ?? '')
        equals(reply, 'remainder of updated in 5 minutes', updated % (usageRefreshMinutes * 60_000), 0)
        equals(reply, 'period', data.period, monthIn(data.timezone, updated))
        expects(reply, data.totals.calls_connected <= data.totals.calls, 'calls_connected of at most calls')
      },
    },
    ...grouped,
    {
      rule: 'X4',
      group: 'usage',
      title: 'Usage of another month is of that month',
      needs: ['usage:read'],
      run: async (session) => {
        const { data } = await usage(session)
        const before = monthBefore(data.period)
        const { reply, data: earlier } = await usage(session, `?period=${before}`)
        equals(reply, 'period', earlier.period, before)
        refused(await session.get('/usage?period=2026-13'), 'invalid_request', { param: 'period' })
        refused(await session.get('/usage?group_by=svc'), 'invalid_request', { param: 'group_by' })
      },
    },
    {
      rule: 'T4',
      group: 'usage',
      title: 'Calls of a test key cost nothing',
      needs: ['usage:read'],
      run: async (session) => {
        if (session.isLive) cannotAsk('the key is live')
        const { reply, data } = await usage(session, '?group_by=day')
        equals(reply, 'cost_usd', data.totals.cost_usd, 0)
        for (const group of data.groups) equals(reply, 'cost_usd', group.cost_usd, 0)
      },
    },
    {
      rule: 'X3',
      group: 'usage',
      title: 'Cost is the minutes at one rate',
      needs: ['usage:read'],
      run: async (session) => {
        const { reply, data } = await usage(session, '?group_by=day')
        if (data.totals.cost_usd === 0) cannotAsk('nothing was billed; test calls cost nothing')
        const rate = data.totals.cost_usd / data.totals.minutes
        for (const { minutes, cost_usd } of data.groups)
          expects(
            reply,
            Math.abs(cost_usd - minutes * rate) < 0.02,
            `a cost of ${minutes} minutes at ${rate.toFixed(4)}`,
          )
      },
    },
  ],
  'groups by key',
  'groups by campaign',
  'Usage of another month',
)

/** The month at a time in a zone, as YYYY-MM. */
function monthIn(timeZone: string, at: number): string {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit' }).formatToParts(at)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return `${part('year')}-${part('month')}`
}
