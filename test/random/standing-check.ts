/** Checks that a lead has the status that the dialing rules give it now. */
import type { Lead } from '../../src/contract/leads.js'
import { holdOf, judge, judgeWaiting } from './model/judgement.js'
import { dialable, lineOf } from './model/line.js'
import { campaignOf, isBusy, onLines, type Mirror, type SeenLead } from './model/mirror.js'
import { must } from './model/rule.js'

const instant = (text: string | null): number | null => (text === null ? null : Date.parse(text))
const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** `lead` is an item of a list. */
export function checkLead(mirror: Mirror, seen: SeenLead, lead: Lead): void {
  const { now } = mirror
  const about = { now: iso(now), lead, seen, campaign: campaignOf(mirror, seen.campaign) }
  const told = [lead.status, lead.call_now, lead.attempts, lead.phone, lead.campaign_id, lead.late, lead.last_outcome]
  const known = [seen.status, seen.callNow, seen.attempts, seen.phone, seen.campaign, seen.late, seen.lastOutcome]
  must(told.join() === known.join(), 'a lead is as it was seen', about)
  must(
    lead.calls.map(({ id }) => id).join() === seen.calls.slice(-10).reverse().join(),
    'a lead shows its last calls',
    about,
  )
  const going = seen.calls.filter((id) => mirror.calls.get(id)?.status !== 'ended')
  must(isBusy(lead.status) ? going.length === 1 : true, 'who is on the telephone has a call', { ...about, going })
  must(going.length <= 1, 'nobody has two calls at once', { ...about, going })

  // A listed number may still call in.
  const callsIn = lead.status === 'on_call' && mirror.calls.get(going[0] ?? '')?.direction === 'inbound'
  if (mirror.dnc.get(seen.tenant)?.has(seen.phone))
    must(lead.status === 'out_of_queue' || callsIn, 'a listed number is out of the queue', about)
  if (lead.status !== 'callback_scheduled') must(lead.callback_at === null, 'only a booked callback has a time', about)
  if (lead.status !== 'held') must(lead.held_reason === null, 'only a held lead has a reason for it', about)
  if (lead.status !== 'scheduled')
    must(lead.scheduled_for === null && lead.scheduled_reason === null, 'only a scheduled lead waits for a time', about)
  checks[lead.status]?.(mirror, seen, lead, about)
}

type Check = (mirror: Mirror, seen: SeenLead, lead: Lead, about: object) => void

const checks: Partial<Record<Lead['status'], Check>> = {
  queued: (mirror, seen, _lead, about) => {
    const judgement = judge(mirror, seen, mirror.now)
    must(judgement.hold === null && judgement.first === mirror.now, 'in line is who may be called', {
      ...about,
      judgement,
    })
    const { lines } = campaignOf(mirror, seen.campaign)
    const busy = onLines(mirror, seen.tenant, seen.campaign).length
    const canBe = dialable(mirror, [seen]).length > 0
    must(busy >= lines || !canBe, 'nobody waits while a line is free', { ...about, busy, lines })
    const isLate = seen.callNow && mirror.now >= seen.lateAt
    if (seen.lateLimit === campaignOf(mirror, seen.campaign).late_after_minutes)
      must(seen.late || !isLate, 'who waits too long is late', about)
  },
  held: (mirror, seen, lead, about) => {
    const hold = holdOf(campaignOf(mirror, seen.campaign))
    must(lead.held_reason === hold, 'a lead is held for the reason that holds', { ...about, hold })
    must(seen.own === null || seen.own <= mirror.now, 'a time of its own comes before a hold', about)
  },
  scheduled: (mirror, seen, lead, about) => {
    const { hold, first, reason } = judgeWaiting(mirror, seen, mirror.now)
    const judgement = { hold, first: iso(first), reason }
    must(first === null || first > mirror.now, 'nobody waits longer than they must', { ...about, judgement })
    must(instant(lead.scheduled_for) === first, 'a lead is scheduled for the first minute allowed', {
      ...about,
      judgement,
    })
    must(lead.scheduled_reason === reason, 'a lead waits for the rule that forbids the minute before', {
      ...about,
      judgement,
    })
    const own = seen.own !== null && seen.own > mirror.now ? seen.own : first
    must(
      instant(lead.next_dial_at) === own || instant(lead.next_dial_at) === seen.own,
      'a lead says when it is dialed',
      {
        ...about,
        judgement,
      },
    )
  },
  callback_scheduled: (mirror, seen, lead, about) => {
    const at = instant(lead.callback_at)
    must(at === seen.own && at !== null && at > mirror.now, 'a callback is for the time booked', about)
  },
}

/** Every lead in the queue has the position in which it will be called. */
export function placesOf(mirror: Mirror, tenant: string, campaign: string): { lead: SeenLead; place: number }[] {
  const line = lineOf(mirror, tenant, campaign)
  return line.some(({ unsure }) => unsure) ? [] : line.map((lead, n) => ({ lead, place: n + 1 }))
}

/** The position divided by the lines, times the mean length of the calls so far. */
export function waitOf(mirror: Mirror, { tenant, campaign }: SeenLead, place: number): number {
  const { lines } = campaignOf(mirror, campaign)
  const lengths = [...mirror.calls.values()]
    .filter((call) => call.tenant === tenant && call.campaign === campaign && call.direction === 'outbound')
    .flatMap(({ started, ended }) => (ended === null ? [] : [ended - started]))
  const mean = lengths.length === 0 ? 120_000 : lengths.reduce((sum, one) => sum + one, 0) / lengths.length
  return Math.round((place / Math.max(1, lines)) * (mean / 1000))
}
