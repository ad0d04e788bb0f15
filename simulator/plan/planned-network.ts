/**
 * The telephone network of a plan. What happens on a call follows from the seed, the number of the lead and the attempt
 * only, so worlds with other lines or hours get the same calls in another order.
 */
import { answersAt, type CallMix, type Lengths } from '../../src/plan/call-mix.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { offsetMinutes } from '../../src/phone/offset.js'
import { zonesOfKey } from '../../src/phone/zones.js'
import { after, days, seconds } from '../kernel/instant.js'
import type { Call, CallEvent } from '../model/call.js'
import type { Carrier, Tenant } from '../model/world.js'
import { CallSteps, type ScriptStep } from '../telephony/call-steps.js'

const dayMs = 86_400_000
const hourMs = 3_600_000
const minuteMs = 60_000

/** A callback is booked for the same time on the next day, near the end of the call. */
const callbackAfter = days(1)
const bookedAt = 0.8

export function plannedNetwork(mix: CallMix): Carrier {
  const steps = new CallSteps((organization, call) => drawSteps(organization, call, mix))
  return {
    startCall: (organization, call) => steps.begin(organization, call),
    eventAt: (organization, call, beat) => steps.eventAt(organization, call, beat),
    playStep: (organization, call, beat) => steps.play(organization, call, beat),
    transcript: () => [],
  }
}

function drawSteps({ world, leads }: Tenant, call: Call, mix: CallMix): readonly ScriptStep[] {
  const lead = call.lead === null ? null : leads.get(call.lead)
  const attempt = lead?.attempts ?? 1
  const random = world.random.stream(`plan/${call.phone}/${attempt}`)
  const hour = lead && mix.oddsByHour.length > 0 ? localHour(lead.zone, call.started) : 0
  const answer = random.weighted(answersAt(mix, attempt, hour))
  // The order of the draws is the same for every answer.
  const ring = lengthAt(mix.ring[answer], random.fraction())
  const ofPerson = random.weighted(mix.outcomes as Readonly<Record<Outcome, number>>)
  const outcome = answer === 'answered' ? ofPerson : answer
  const isPickedUp = answer === 'answered' || answer === 'voicemail'
  const talk = isPickedUp ? lengthAt(mix.talk[outcome] ?? mix.usualTalk, random.fraction()) : 0
  const end: ScriptStep = [seconds(ring + talk), { what: 'ended', outcome, note: null }]
  if (!isPickedUp) return [end]
  const answered: CallEvent = { what: 'answered', machine: answer === 'voicemail' }
  if (outcome !== 'callback') return [[seconds(ring), answered], end]
  const booked: CallEvent = { what: 'callback_booked', at: after(call.started, callbackAfter) }
  return [[seconds(ring), answered], [seconds(ring + talk * bookedAt), booked], end]
}

/** Seconds at a share of the distribution, between its two nearest quantiles. */
function lengthAt(lengths: Lengths, share: number): number {
  const place = share * (lengths.length - 1)
  const below = Math.floor(place)
  const low = lengths[below] ?? 0
  return Math.round(low + ((lengths[below + 1] ?? low) - low) * (place - below))
}

/** The hour of the day on the first clock of the lead. */
function localHour(zone: string, at: number): number {
  const [first] = zonesOfKey(zone)
  const local = first === undefined || first === '' ? at : at + offsetMinutes(first, at) * minuteMs
  return Math.floor((((local % dayMs) + dayMs) % dayMs) / hourMs)
}
