/** Call scripts: what happens on a simulated call, step by step. */
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { after, days, fromIso, seconds } from '../kernel/instant.js'
import type { Call, CallEvent } from '../model/call.js'
import type { MemberRole } from '../model/organization.js'
import type { Carrier, Tenant } from '../model/world.js'
import { CallSteps, type ScriptStep } from './call-steps.js'
import { writeCallNote } from './call-note.js'
import { drawInboundScript, drawScript } from './random-call.js'
import { reservedScripts } from './reserved-calls.js'

/** A scripted call with all values filled in. Seconds count from the answer; `ring_seconds` counts from the start. */
export interface CallScript extends Pick<ScriptedCall, 'answer' | 'dnc_by' | 'lines'> {
  ring_seconds: number
  talk_seconds: number
  outcome: NonNullable<ScriptedCall['outcome']>
  handover: { role: MemberRole; accept_after_seconds: number } | null
  interested_after_seconds: number | null
  callback_at: string | null
}

const ringSeconds = { person: 6, voicemail: 20, no_answer: 30, busy: 3, failed: 2 } as const
const talkSeconds = { person: 90, voicemail: 30, no_answer: 0, busy: 0, failed: 0 } as const

/** Fills in the values that a scripted call leaves out. */
function completeScript(scripted: ScriptedCall): CallScript {
  const { answer, interested_after_seconds: interestedAfter, handover } = scripted
  const ring_seconds = scripted.ring_seconds ?? ringSeconds[answer]
  const talk_seconds = scripted.talk_seconds ?? talkSeconds[answer]
  const outcome = scripted.outcome ?? (answer === 'person' ? outcomeOfPerson(scripted) : answer)
  const wantsToBuy =
    answer === 'person' && (outcome === 'interested' || interestedAfter !== undefined || Boolean(handover))
  const interested_after_seconds = wantsToBuy
    ? (interestedAfter ?? Math.min(talk_seconds, handover?.accept_after_seconds ?? talk_seconds) / 2)
    : null
  const accepted = (interested_after_seconds ?? 0) + (talk_seconds - (interested_after_seconds ?? 0)) / 4
  return {
    answer,
    ...(scripted.dnc_by && { dnc_by: scripted.dnc_by }),
    ...(scripted.lines && { lines: scripted.lines }),
    ring_seconds,
    talk_seconds,
    outcome,
    interested_after_seconds,
    handover:
      !wantsToBuy || handover === null
        ? null
        : { role: handover?.role ?? 'sdr', accept_after_seconds: handover?.accept_after_seconds ?? accepted },
    callback_at: scripted.callback_at ?? null,
  }
}

function outcomeOfPerson({
  callback_at,
  dnc_by,
  interested_after_seconds,
  handover,
}: ScriptedCall): CallScript['outcome'] {
  if (dnc_by) return 'dnc'
  if (callback_at !== undefined) return 'callback'
  return interested_after_seconds !== undefined || handover ? 'interested' : 'not_interested'
}

/** The script a call plays: its own, that of a reserved number (rule T1), or a random one. */
export function findScript(tenant: Tenant, call: Call): CallScript {
  if (call.script !== null) return completeScript(JSON.parse(call.script) as ScriptedCall)
  const reserved = tenant.live ? undefined : reservedScripts.get(call.phone)
  return completeScript(reserved ?? drawScript(randomOf(tenant, call)))
}

const randomOf = ({ world, n: tenant }: Tenant, call: Call) => world.random.stream(`call/${tenant}/${call.n}`)

function listSteps(script: CallScript, call: Call): ScriptStep[] {
  const { answer, ring_seconds, talk_seconds, interested_after_seconds: interested, handover, dnc_by, outcome } = script
  const talk = (atSeconds: number, heard: CallEvent): ScriptStep => [
    seconds(ring_seconds + Math.min(atSeconds, talk_seconds)),
    heard,
  ]
  const end: CallEvent = { what: 'ended', outcome, note: writeCallNote(answer, outcome) }
  if (answer === 'voicemail') {
    const left = talk(Math.max(0, talk_seconds - 1), { what: 'voicemail_left' })
    return [talk(0, { what: 'answered', machine: true }), left, talk(talk_seconds, end)]
  }
  if (answer !== 'person') return [[seconds(ring_seconds), end]]
  const beats: ScriptStep[] = [talk(0, { what: 'answered', machine: false })]
  if (interested !== null) beats.push(talk(interested, { what: 'interested' }))
  if (handover) beats.push(talk(handover.accept_after_seconds, { what: 'handed_over', role: handover.role }))
  if (dnc_by === 'ai') beats.push(talk(talk_seconds * 0.6, { what: 'opted_out' }))
  if (outcome === 'callback')
    beats.push(talk(talk_seconds * 0.8, { what: 'callback_booked', at: callbackAt(script, call) }))
  if (beats.length > 1) beats.sort(([a], [b]) => a - b)
  beats.push(talk(talk_seconds, end))
  return beats
}

/** The booked time of a callback: the script's, if it is after the end of the call, else the same time tomorrow. */
function callbackAt({ callback_at, ring_seconds, talk_seconds }: CallScript, call: Call) {
  const named = callback_at === null ? null : fromIso(callback_at)
  const over = after(call.started, seconds(ring_seconds + talk_seconds))
  return named !== null && named > over ? named : after(call.started, days(1))
}

/** Starts a call: takes the next script of its number, unless an outcome is given, and schedules the first step. */
function startScriptedCall(tenant: Tenant, call: Call, outcome?: Outcome): void {
  const set = outcome === undefined ? tenant.scripts.next(call.phone) : null
  const script = set ?? (call.direction === 'inbound' ? drawInboundScript(randomOf(tenant, call), outcome) : null)
  if (script !== null) tenant.calls.change(call, { script: JSON.stringify(script) })
  scriptedSteps.begin(tenant, call)
}

const scriptedSteps = new CallSteps((tenant, call) => listSteps(findScript(tenant, call), call))

/** How the carrier plays calls by their scripts. */
export const scriptedCalls: Pick<Carrier, 'startCall' | 'eventAt' | 'playStep'> = {
  startCall: startScriptedCall,
  eventAt: (tenant, call, beat) => scriptedSteps.eventAt(tenant, call, beat),
  playStep: (tenant, call, beat) => scriptedSteps.play(tenant, call, beat),
}
