/** Serves figures by hour or day, from counts that the world keeps. */
import { outcomes, deliveryStatuses } from '../../../../src/contract/enums.js'
import { ApiError } from '../../../../src/contract/errors/error-codes.js'
import { dayOf, endOfDay, startOfDay } from '../../../../src/phone/local-day.js'
import { before, days, fromIso, hours, instant, toIso, type Instant } from '../../../kernel/instant.js'
import type { Usage } from '../../../model/usage.js'
import type { Tenant } from '../../../model/world.js'
import { costUsd } from '../../../reporting/billing.js'
import { numberAt } from '../../../storage/bisect.js'
import { tables } from '../../../storage/tables.js'
import { replyOk, type ControlHandlers } from '../../handler.js'
import { tenantNamed, type ControlContext } from '../context.js'

const hourMs = 3_600_000
const bucketsMost = 1_000
const usual = { hour: hours(23), day: days(29) }

interface Span {
  from: Instant
  to: Instant
  label: string
}

export function figuresHandlers(context: ControlContext): Pick<ControlHandlers, 'getFigures'> {
  const { world, steps } = context
  return {
    getFigures: ({ query }) =>
      steps.read(() => {
        const tenant = tenantNamed(context, query)
        const zone = tenant.record.time_zone
        const to = momentOf('to', query.to) ?? world.now
        const from = momentOf('from', query.from) ?? before(to, usual[query.by])
        if (from > to) throw new ApiError('invalid_request', 'from: send a time before to.', { param: 'from' })
        const spans = query.by === 'hour' ? hoursOf(zone, from, to) : daysOf(zone, from, to)
        return replyOk({
          from: toIso(spans[0]?.from ?? from),
          to: toIso(to),
          by: query.by,
          time_zone: zone,
          buckets: bucketsOf(tenant, spans),
          ...resultsOf(tenant, spans[0]?.from ?? from, to),
        })
      }),
  }
}

function momentOf(param: string, text: string | undefined): Instant | null {
  if (text === undefined) return null
  const at = fromIso(text)
  if (at === null) throw new ApiError('invalid_request', `${param}: there is no such day.`, { param })
  return at
}

function checkLength(spans: readonly Span[]): void {
  if (spans.length > bucketsMost)
    throw new ApiError('invalid_request', `from: send a time at most ${bucketsMost} hours or days before to.`, {
      param: 'from',
    })
}

function hoursOf(zone: string, from: Instant, to: Instant): Span[] {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' })
  const spans: Span[] = []
  for (let at = Math.floor(from / hourMs) * hourMs; at <= to; at += hourMs) {
    spans.push({ from: instant(at), to: instant(at + hourMs), label: `${dayOf(zone, at)} ${format.format(at)}` })
    checkLength(spans)
  }
  return spans
}

function daysOf(zone: string, from: Instant, to: Instant): Span[] {
  const spans: Span[] = []
  for (let at: number = startOfDay(zone, dayOf(zone, from)); at <= to;) {
    const day = dayOf(zone, at)
    const end = endOfDay(zone, day)
    spans.push({ from: instant(at), to: instant(end), label: day })
    checkLength(spans)
    at = end
  }
  return spans
}

function bucketsOf(tenant: Tenant, spans: readonly Span[]) {
  const first = spans[0]?.from ?? instant(0)
  const counts = spans.map(() => ({ calls: 0, calls_connected: 0, minutes: 0, leads_added: 0, requests: 0 }))
  let i = 0
  for (const { slot, ...usage } of tenant.usage.bySlot(first, spans.at(-1)?.to ?? first)) {
    while (i < spans.length - 1 && slot >= (spans[i]?.to ?? Infinity)) i++
    const count = counts[i]
    if (count) for (const name in count) count[name as keyof Usage] += usage[name as keyof Usage]
  }
  return spans.map(({ from, label }, index) => {
    const count = counts[index] ?? { calls: 0, calls_connected: 0, minutes: 0, leads_added: 0, requests: 0 }
    return { start: toIso(from), label, ...count, cost_usd: costUsd(tenant, count.minutes) }
  })
}

function resultsOf(tenant: Tenant, from: Instant, to: Instant) {
  const { calls, deliveries, endpoints, world } = tenant
  const range = (table: typeof tables.calls, column: string) => ({
    first: numberAt(world.store, table, column, from),
    end: numberAt(world.store, table, column, instant(to + 1)),
  })
  const started = range(tables.calls, 'started')
  const created = range(tables.deliveries, 'created')
  const numbers = endpoints.all().map(({ n }) => n)
  return {
    outcomes: outcomes
      .map((outcome) => ({ outcome, calls: calls.countWithOutcome(outcome, started) }))
      .filter((one) => one.calls > 0)
      .sort((a, b) => b.calls - a.calls),
    deliveries: deliveryStatuses.map((status) => ({
      status,
      deliveries: numbers.reduce((sum, n) => sum + deliveries.countWithStatus(n, status, created), 0),
    })),
  }
}
