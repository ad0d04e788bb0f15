/** Draws the script of a call that has none, from a plausible mix of answers and outcomes. */
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { RandomStream } from '../kernel/random.js'

const answers = { person: 42, voicemail: 26, no_answer: 24, busy: 5, failed: 3 } as const

const outcomesOfPersons = {
  not_interested: 34,
  hung_up: 18,
  interested: 16,
  callback: 12,
  not_qualified: 6,
  wrong_number: 5,
  screened: 4,
  language_barrier: 2,
  dnc: 2,
  undetermined: 1,
} as const satisfies Partial<Record<Outcome, number>>

/** Minimum and maximum seconds of talk. Other outcomes use the default in `talkWith`. */
const talkSeconds: Partial<Record<Outcome, readonly [number, number]>> = {
  interested: [150, 420],
  callback: [45, 150],
  hung_up: [3, 25],
  wrong_number: [8, 30],
  language_barrier: [10, 40],
  screened: [8, 25],
}

const ringSeconds: Record<keyof typeof answers, readonly [number, number]> = {
  person: [4, 22],
  voicemail: [18, 26],
  no_answer: [28, 40],
  busy: [2, 4],
  failed: [1, 3],
}

export function drawScript(random: RandomStream): ScriptedCall {
  const answer = random.weighted(answers)
  const ring_seconds = random.whole(...ringSeconds[answer])
  if (answer === 'voicemail') return { answer, ring_seconds, talk_seconds: random.whole(20, 40) }
  if (answer !== 'person') return { answer, ring_seconds }
  return { ring_seconds, ...talkWith(random, random.weighted(outcomesOfPersons)) }
}

/** Draws an inbound call. It is answered quickly, unless the given outcome means that no person answers. */
export function drawInboundScript(
  random: RandomStream,
  outcome: Outcome = random.weighted(outcomesOfPersons),
): ScriptedCall {
  const ring_seconds = random.whole(1, 4)
  if (isAnswer(outcome)) return { answer: outcome, ring_seconds }
  return { ring_seconds, ...talkWith(random, outcome) }
}

const isAnswer = (outcome: Outcome): outcome is Outcome & keyof typeof answers => outcome in answers

function talkWith(random: RandomStream, outcome: Outcome): ScriptedCall {
  const answer = 'person'
  const talk_seconds = random.whole(...(talkSeconds[outcome] ?? [20, 90]))
  if (outcome === 'dnc') return { answer, talk_seconds, outcome, dnc_by: random.pick(['ai', 'outcome'] as const) }
  if (outcome !== 'interested') return { answer, talk_seconds, outcome }
  const interested_after_seconds = Math.floor(talk_seconds * 0.4)
  const role = random.weighted({ sdr: 4, closer: 1 })
  const accept_after_seconds = interested_after_seconds + random.whole(5, 45)
  return {
    answer,
    talk_seconds,
    outcome,
    interested_after_seconds,
    handover: { role, accept_after_seconds },
  }
}
