/** What a plan reads from the deployment: its clock, the campaign, the time zone and the rate. It only reads. */
import { ApiError } from '../../client/errors.js'
import type { Client, Contract } from '../../client/client.js'
import type { Campaign } from '../../contract/campaigns.js'
import type { Usage } from '../../contract/usage.js'
import { parsePhone } from '../../phone/number.js'
import { pageSizeMax } from '../../contract/limits.js'

export interface Deployment {
  /** Its clock in milliseconds. */
  now: number
  time_zone: string | undefined
  campaign: Campaign | undefined
  /** Cost of a minute. Undefined if it cannot be told from the usage. */
  rate: { usd: number; from: string } | undefined
  /** Why the time zone or the rate is unknown. */
  notes: string[]
}

export interface DeploymentQuestion {
  client: Client<Contract>
  campaign: string | undefined
  /** The clock, if it is already known. */
  now: number | undefined
  signal: AbortSignal
}

export async function readDeployment({ client, campaign: id, now, signal }: DeploymentQuestion): Promise<Deployment> {
  const campaign =
    id === undefined ? undefined : (await client.call('getCampaign', { params: { id } }, { signal })).body.data
  const usage = await usageOf(client, 'current', signal)
  const clock = now ?? usage?.clock ?? Date.now()
  const notes =
    usage === undefined ? ['The key may not read the usage, so the time zone of the organization is unknown.'] : []
  const rate = usage && (await rateOf(client, usage.usage, signal))
  return {
    now: clock,
    time_zone: usage?.usage.timezone,
    campaign,
    rate: rate?.rate,
    notes: [...notes, ...(rate?.notes ?? [])],
  }
}

/** Undefined if the key may not read it. */
async function usageOf(
  client: Client<Contract>,
  period: string,
  signal: AbortSignal,
): Promise<{ usage: Usage; clock: number | undefined } | undefined> {
  try {
    const { body, headers } = await client.call('getUsage', { query: { period } }, { signal })
    const shown = Date.parse(headers['date'] ?? '')
    return { usage: body.data, clock: Number.isNaN(shown) ? undefined : shown }
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return undefined
    throw error
  }
}

/** The rate of this month or the one before: the cost divided by the minutes. */
async function rateOf(
  client: Client<Contract>,
  current: Usage,
  signal: AbortSignal,
): Promise<{ rate: Deployment['rate']; notes: string[] }> {
  if (!current.livemode)
    return { rate: undefined, notes: ['Test calls are never billed, so the rate is unknown. --rate-usd sets it.'] }
  const before = current.totals.minutes > 0 ? undefined : await usageOf(client, monthBefore(current.period), signal)
  const { totals, period } = before?.usage ?? current
  if (totals.minutes > 0) {
    const usd = Math.round((totals.cost_usd / totals.minutes) * 1e6) / 1e6
    return { rate: { usd, from: `the usage of ${period}` }, notes: [] }
  }
  return {
    rate: undefined,
    notes: ['No minutes were billed this month or last, so the rate is unknown. --rate-usd sets it.'],
  }
}

function monthBefore(period: string): string {
  const [year = 0, month = 1] = period.split('-').map(Number)
  return new Date(Date.UTC(year, month - 2, 1)).toISOString().slice(0, 7)
}

/** Every number on the Do Not Call list, page by page. */
export async function readListedNumbers(
  client: Client<Contract>,
  { signal, onPage }: { signal: AbortSignal; onPage: (read: number) => void },
): Promise<string[]> {
  const listed: string[] = []
  for await (const { body } of client.pages('listDnc', { query: { limit: pageSizeMax } }, { signal })) {
    for (const { phone } of body.data) {
      const number = parsePhone(phone)
      if (number.kind !== 'invalid') listed.push(number.e164)
    }
    onPage(listed.length)
  }
  return listed
}
