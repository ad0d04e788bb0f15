/** How a call goes that nobody scripted: drawn by chance from a plausible mix. Ours to invent. */
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

/** Seconds of talk, at least and at most; the others are like `not_interested`. */
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

export function drawScript(chance: RandomStream): ScriptedCall {
  const answer = chance.weighted(answers)
  const ring_seconds = chance.whole(...ringSeconds[answer])
  if (answer === 'voicemail') return { answer, ring_seconds, talk_seconds: chance.whole(20, 40) }
  if (answer !== 'person') return { answer, ring_seconds }
  return { ring_seconds, ...talkWith(chance, chance.weighted(outcomesOfPersons)) }
}

/** A call that comes in is taken at once, unless it is to end like one that nobody takes. */
export function drawInboundScript(
  chance: RandomStream,
  outcome: Outcome = chance.weighted(outcomesOfPersons),
): ScriptedCall {
  const ring_seconds = chance.whole(1, 4)
  if (isAnswer(outcome)) return { answer: outcome, ring_seconds }
  return { ring_seconds, ...talkWith(chance, outcome) }
}

const isAnswer = (outcome: Outcome): outcome is Outcome & keyof typeof answers => outcome in answers

function talkWith(chance: RandomStream, outcome: Outcome): ScriptedCall {
  const answer = 'person'
  const talk_seconds = chance.whole(...(talkSeconds[outcome] ?? [20, 90]))
  if (outcome === 'dnc') return { answer, talk_seconds, outcome, dnc_by: chance.pick(['ai', 'outcome'] as const) }
  if (outcome !== 'interested') return { answer, talk_seconds, outcome }
  const interested_after_seconds = Math.floor(talk_seconds * 0.4)
  const role = chance.weighted({ sdr: 4, closer: 1 })
  const accept_after_seconds = interested_after_seconds + chance.whole(5, 45)
  return {
    answer,
    talk_seconds,
    outcome,
    interested_after_seconds,
    handover: { role, accept_after_seconds },
  }
}
