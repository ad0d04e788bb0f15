/** Checks what each event says and when it may come, and updates the model from it. */
import type { Call } from '../../src/contract/calls.js'
import type { Event, LeadInEvent } from '../../src/contract/events.js'
import { countFailure, placeAfter, placeCorrected, type Place } from './model/after-call.js'
import { checkDialed } from './model/dialing.js'
import { isBusy, isWaiting, leadOf, type Mirror, type SeenCall, type SeenLead } from './model/mirror.js'
import { expectLate } from './model/line.js'
import { must } from './model/rule.js'
import type { Seen } from './seen.js'

/** Who adds leads or requests calls. */
export interface Bringing {
  by: 'api' | 'app'
  key: string | null
  /** True if the leads are sent with all their fields. */
  sends: boolean
}

export interface Scene {
  mirror: Mirror
  seen: Seen
  tenant: string
  at: number
  callers: ReadonlyMap<string, string>
  bringing: Bringing
}

type OfType<T extends Event['type']> = Extract<Event, { type: T }>

const see: { [T in Event['type']]: (scene: Scene, event: OfType<T>) => void } = {
  'lead.created': ({ mirror, seen, bringing }, { data: { object } }) => {
    const lead = leadOf(mirror, object.id)
    must(lead.phone === '', 'a lead is created once', { lead })
    const { campaign_id: campaign, phone, external_id: external, call_now: callNow } = object
    Object.assign(lead, { campaign, phone, external, callNow, key: bringing.key })
    if (lead.status === 'queued') expectLate(mirror, lead, lead.due)
    seen.created.push(lead.id)
    checkLead(lead, object)
  },
  'lead.queued': (scene, { data: { object } }) => {
    const lead = leadOf(scene.mirror, object.id)
    if (lead.fresh) lead.fresh = false
    else arrive(scene, lead, object)
    checkLead(lead, object)
  },
  'lead.late': ({ mirror, at }, { data: { object, late } }) => {
    const lead = leadOf(mirror, object.id)
    must(lead.status === 'queued' && lead.callNow && !lead.late, 'a call_now lead in line is late once', { lead })
    lead.late = true
    checkLead(lead, object)
    const waited = at - (lead.lateAt - lead.lateLimit * 60_000)
    must(Math.floor(waited / 1000) === late.waited_seconds, 'a late lead has waited as long as it says', {
      lead,
      late,
      waited,
    })
  },
  'lead.opted_out': (scene, { data: { object } }) => optOut(scene, object),
  'call.started': startCall,
  'call.answered': ({ mirror, at }, { data: { object } }) => {
    const call = tell(mirror, object.id, 'call.answered')
    must(call.status === 'in_progress' && call.answered === at, 'a call is answered when it says so', { call })
    checkCall(call, object)
  },
  'lead.interested': ({ mirror }, { data: { object } }) => {
    const call = tell(mirror, object.id, 'lead.interested')
    must(call.status === 'in_progress', 'only someone on the telephone shows interest', { call })
    checkCall(call, object)
  },
  'handover.accepted': ({ mirror }, { data: { object } }) => {
    const call = tell(mirror, object.id, 'handover.accepted')
    must(call.status === 'in_progress', 'only someone on the telephone is handed over', { call })
    checkCall(call, object)
  },
  'voicemail.left': ({ mirror }, { data: { object } }) => {
    const call = tell(mirror, object.id, 'voicemail.left')
    must(call.status === 'in_progress', 'a message is left while the machine listens', { call })
    call.machine = true
    checkCall(call, object)
  },
  'callback.booked': ({ mirror }, { data: { object, callback } }) => {
    const lead = leadOf(mirror, object.id)
    const call = mirror.calls.get(lead.calls.at(-1) ?? '')
    must(call?.status === 'in_progress', 'a callback is booked on the telephone', { lead, call })
    call.callbackAt = Date.parse(callback.callback_at)
    checkLead(lead, object)
  },
  'call.completed': (scene, { data: { object, revision } }) => completeCall(scene, object, revision),
}

export function seeEvent(scene: Scene, event: Event): void {
  ;(see[event.type] as (scene: Scene, event: Event) => void)(scene, event)
}

function tell(mirror: Mirror, id: string, type: Event['type']): SeenCall {
  const call = mirror.calls.get(id)
  must(call !== undefined && !call.told.includes(type), 'an event comes once, after its change', { id, type, call })
  call.told.push(type)
  return call
}

/** The lead inside an event has its state of that moment. */
function checkLead(lead: SeenLead, object: LeadInEvent): void {
  const { status, callNow, late, phone, attempts, campaign } = lead
  const told = [object.status, object.call_now, object.late, object.phone, object.attempts, object.campaign_id]
  const rule = 'an event tells of the lead as it is'
  must(told.join() === [status, callNow, late, phone, attempts, campaign].join(), rule, { lead, object })
}

function checkCall(call: SeenCall, object: Call): void {
  const { status, direction, campaign, lead, started, answered, ended, outcome } = call
  const instant = (text: string | null) => (text === null ? null : Date.parse(text))
  const times = [instant(object.started), instant(object.answered), instant(object.ended)]
  const told = [object.status, object.direction, object.campaign_id, object.lead?.id ?? null, object.outcome, ...times]
  const known = [status, direction, campaign, lead, outcome, started, answered, ended]
  must(told.join() === known.join(), 'an event tells of the call as it is', { call, object })
}

/**
 * A lead comes back to the queue or is requested to be called. A waiting lead keeps its position unless it becomes
 * call_now.
 */
function arrive(
  { mirror, seen, at, bringing }: Scene,
  lead: SeenLead,
  { call_now, phone, external_id }: LeadInEvent,
): void {
  const prior = lead.moveTurn === mirror.turns - 1 ? lead.before : lead.status
  const keepsTurn = isWaiting(prior) && (lead.callNow || !call_now)
  if (prior === 'queued' && lead.callNow && !call_now) lead.unsure = true
  if (!(keepsTurn && call_now)) lead.arrived = at
  if (!keepsTurn) lead.turn = mirror.turns
  Object.assign(lead, { callNow: call_now, phone, external: external_id, own: null, ownReason: null, late: false })
  lead.arrivalTurn = mirror.turns
  if (lead.status === 'queued') expectLate(mirror, lead, at)
  seen.arrivals.push(lead.id)
  lead.key = bringing.key ?? lead.key
  if (bringing.sends) lead.accepted = at
  lead.takenOut = false
  if (bringing.by === 'api' && call_now) {
    lead.startedBy = bringing.key
    lead.starts.push(at)
  } else if (lead.startedBy !== null) {
    lead.startedBy = bringing.sends ? undefined : null
  }
}

function optOut({ mirror, seen, tenant }: Scene, object: LeadInEvent): void {
  const lead = leadOf(mirror, object.id)
  const { phone } = lead
  if (!mirror.dnc.get(tenant)?.has(phone)) {
    seen.listed.set(`${tenant} ${phone}`, idsWithPhone(mirror, tenant, phone))
    mirror.dnc.get(tenant)?.add(phone)
  }
  const untold = seen.listed.get(`${tenant} ${phone}`)
  must(untold?.delete(lead.id) === true, 'a lead opts out once, when its number is listed', { lead })
  const wasBusy = lead.moveTurn === mirror.turns - 1 && isBusy(lead.before)
  Object.assign(lead, { own: null, ownReason: null })
  lead.lastOutcome = wasBusy ? 'dnc' : object.last_outcome
  must(lead.status === 'out_of_queue', 'a lead that opted out is out of the queue', { lead })
  checkLead(lead, object)
  must(object.last_outcome === lead.lastOutcome, 'a lead that opts out on the telephone ends so', { lead, object })
}

function startCall({ mirror, tenant, callers }: Scene, { data: { object } }: OfType<'call.started'>): void {
  const call = tell(mirror, object.id, 'call.started')
  const lead = object.lead === null ? null : leadOf(mirror, object.lead.id)
  Object.assign(call, { campaign: object.campaign_id, lead: lead?.id ?? null, direction: object.direction })
  call.phone = callers.get(call.id) ?? lead?.phone ?? ''
  must(call.phone !== '' && call.tenant === tenant, 'a call has a number and an organization', { call })
  must(lead === null || lead.moved === call.started, 'a lead is on its call from the first ring', { call, lead })
  lead?.calls.push(call.id)
  call.key = lead?.key ?? null
  call.leadBefore = lead?.before ?? null
  checkCall(call, object)
  if (call.direction === 'inbound' || lead === null) {
    must(lead === null || lead.status === 'on_call', 'who calls is on the telephone', { call, lead })
    return
  }
  must(lead.status === 'dialing', 'who is called is being dialed', { call, lead })
  checkDialed(mirror, lead, call)
  const { startedBy } = lead
  const by = { type: startedBy === null ? 'dialer' : 'api', api_key_id: startedBy }
  if (startedBy !== undefined)
    must(
      object.started_by.api_key_id === by.api_key_id && object.started_by.type === by.type,
      'a call says who asked for it',
      {
        lead,
        started_by: object.started_by,
      },
    )
  Object.assign(lead, { attempts: lead.attempts + 1, own: null, ownReason: null, startedBy: null, unsure: false })
}

function completeCall({ mirror, seen, tenant, at }: Scene, object: Call, revision: number): void {
  const call = mirror.calls.get(object.id)
  must(call?.status === 'ended', 'only a call that has ended is completed', { object })
  must(revision === call.revision + 1, 'revisions count up', { call, revision })
  const updated = Date.parse(object.updated)
  must(revision === 1 || updated > call.updated, 'a higher revision is newer', { call, object })
  const { outcome: before } = call
  // The model cannot predict what the AI writes about a call, but it knows the note of a correction.
  Object.assign(call, { revision, updated, outcome: object.outcome }, revision === 1 && { note: object.note })
  checkCall(call, object)
  const lead = call.lead === null ? null : leadOf(mirror, call.lead)
  if (revision === 1) {
    must(call.ended === at, 'a call is completed when it ends', { call })
    call.told.push('call.completed')
    countFailure(mirror, call)
    if (lead) settle(lead, call, placeAfter(mirror, lead, call, !isOnIt(mirror, lead, at)))
  } else {
    seen.corrected.push(call.id)
    if (lead) follow(mirror, lead, call, before)
  }
  const listed = mirror.dnc.get(tenant)
  if (call.outcome !== 'dnc' || before === 'dnc' || listed?.has(call.phone)) return
  const leads = idsWithPhone(mirror, tenant, call.phone)
  if (leads.size === 0) listed?.add(call.phone)
  else seen.listed.set(`${tenant} ${call.phone}`, leads)
}

const idsWithPhone = ({ leads }: Mirror, tenant: string, phone: string): Set<string> =>
  new Set([...leads.values()].filter((one) => one.tenant === tenant && one.phone === phone).map(({ id }) => id))

/** Whether the lead was on this call until it ended. */
const isOnIt = (mirror: Mirror, lead: SeenLead, at: number): boolean =>
  lead.moved === at && lead.moveTurn === mirror.turns - 1 && isBusy(lead.before)

function settle(lead: SeenLead, call: SeenCall, { statuses, ...place }: Place): void {
  must(statuses.includes(lead.status), 'a lead goes where its call sends it', { lead, call, statuses })
  Object.assign(lead, place)
}

/** A correction counts like the call's own outcome. */
function follow(mirror: Mirror, lead: SeenLead, call: SeenCall, before: string | null): void {
  const optedOut = lead.lastOutcome === 'dnc' && before !== 'dnc'
  const place = placeCorrected(mirror, lead, call, before)
  if (lead.calls.at(-1) === call.id && !optedOut) lead.lastOutcome = call.outcome
  if (place) settle(lead, call, place)
}
