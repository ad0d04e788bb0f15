/** Reads everything that happens, updates the model, and checks each report against the rules. */
import type { Event, EventType } from '../../../src/contract/events.js'
import { checkTurn } from './dialing.js'
import { costOf } from './after-call.js'
import { seeEvent, type Bringing } from '../events-seen.js'
import { tenantOf, type Happening, type Move } from '../journal.js'
import { campaignOf, type Mirror, type SeenCall, type SeenLead } from './mirror.js'
import { expectLate } from './line.js'
import { must } from './rule.js'
import { nothingSeen, type Seen } from '../seen.js'

const callMoves: Readonly<Record<string, readonly string[]>> = {
  ringing: ['in_progress', 'ended'],
  in_progress: ['ended'],
}

export class Witness {
  /** Who requests the next expected calls, by call; null for a call without a lead. */
  readonly callers = new Map<string, string>()
  /** Who adds the leads of the next expected events. */
  bringing: Bringing = { by: 'app', key: null, sends: false }

  constructor(public mirror: Mirror) {}

  /** Takes everything that happened since the last look, in order. */
  see(happenings: readonly Happening[]): Seen {
    const seen = nothingSeen()
    // Earlier reports do not count again, even if nothing happened in between.
    this.mirror.turns++
    for (const happening of happenings) {
      const { mirror } = this
      mirror.turns++
      const at = happening.what === 'event' ? Date.parse(happening.event.created) : happening.at
      must(at >= mirror.now, 'things happen in order of time', { now: new Date(mirror.now).toISOString(), happening })
      mirror.now = at
      if (happening.what === 'event') this.#seeEvent(seen, happening.event, at)
      else if (happening.what === 'lead') moveLead(mirror, happening)
      else moveCall(mirror, happening)
    }
    this.#checkWhole(seen)
    this.callers.clear()
    return seen
  }

  #seeEvent(seen: Seen, event: Event, at: number): void {
    const { mirror } = this
    const campaign = event.data.object.campaign_id
    must(campaign !== null, 'an event belongs to a campaign', event)
    const tenant = tenantOf(campaignOf(mirror, campaign).organization, event.livemode ? 'live' : 'test')
    mirror.events.get(tenant)?.push(event)
    seeEvent({ mirror, seen, tenant, at, callers: this.callers, bringing: this.bringing }, event)
  }

  /** Nothing is half done: every new lead and every call has its events. */
  #checkWhole({ listed }: Seen): void {
    const { leads, calls } = this.mirror
    for (const lead of leads.values()) must(lead.phone !== '' && !lead.fresh, 'a new lead is told of', lead)
    for (const call of calls.values()) {
      const due: EventType[] = ['call.started']
      if (call.answered !== null) due.push('call.answered')
      if (call.ended !== null) due.push('call.completed')
      must(
        due.every((type) => call.told.includes(type)),
        'each move of a call is told of',
        { call, due },
      )
    }
    for (const [number, untold] of listed)
      must(untold.size === 0, 'every lead of a listed number is told of', { number, untold })
  }
}

function moveLead(mirror: Mirror, { id, tenant, from, to, at }: Move): void {
  const known = mirror.leads.get(id)
  const lead = known ?? newLead(id, tenant)
  must(lead.status === from && from !== to, 'a lead goes on from where it was', { lead, from, to })
  must(lead.tenant === tenant, 'a lead stays where it belongs', { lead, tenant })
  if (to === 'dialing') checkTurn(mirror, lead)
  Object.assign(lead, { status: to, before: from, moved: at, moveTurn: mirror.turns })
  if (!known) Object.assign(lead, { created: at, accepted: at, arrived: at, turn: mirror.turns, fresh: true })
  if (to === 'queued') {
    lead.due = at
    if (known) expectLate(mirror, lead, at)
  }
  if (to === 'out_of_queue' || to === 'done') lead.startedBy = null
  if (to !== 'queued') lead.unsure = false
  mirror.leads.set(id, lead)
}

function moveCall(mirror: Mirror, { id, tenant, from, to, at }: Move): void {
  const known = mirror.calls.get(id)
  if (!known) {
    must(from === null && to === 'ringing', 'a call begins with ringing', { id, from, to })
    mirror.calls.set(id, { ...newCall(id, tenant), started: at, updated: at, turn: mirror.turns })
    return
  }
  const allowed = callMoves[known.status] ?? []
  must(known.status === from && allowed.includes(to), 'a call goes from ringing to its end, and ends once', {
    known,
    to,
  })
  known.status = to
  if (to === 'in_progress') known.answered = at
  if (to !== 'ended') return
  known.ended = at
  const campaign = campaignOf(mirror, known.campaign)
  campaign.spent_usd = Math.round((campaign.spent_usd + costOf(mirror, known)) * 1e6) / 1e6
}

const newLead = (id: string, tenant: string): SeenLead => ({
  id,
  tenant,
  campaign: '',
  phone: '',
  external: null,
  status: 'new',
  callNow: false,
  key: null,
  created: 0,
  accepted: 0,
  before: 'new',
  moved: 0,
  moveTurn: 0,
  due: 0,
  lateAt: Infinity,
  lateLimit: 0,
  arrived: 0,
  turn: 0,
  arrivalTurn: 0,
  fresh: true,
  own: null,
  ownReason: null,
  late: false,
  attempts: 0,
  takenOut: false,
  lastOutcome: null,
  starts: [],
  startedBy: null,
  unsure: false,
  calls: [],
})

const newCall = (id: string, tenant: string): SeenCall => ({
  id,
  tenant,
  campaign: '',
  lead: null,
  phone: '',
  direction: 'outbound',
  status: 'ringing',
  started: 0,
  answered: null,
  ended: null,
  outcome: null,
  note: null,
  machine: false,
  revision: 0,
  updated: 0,
  callbackAt: null,
  leadBefore: null,
  turn: 0,
  told: [],
  key: null,
})
