/** Draws the script of a call that has none, from a plausible mix of answers and outcomes. */
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'
import { usualMix } from '../../src/plan/call-mix.js'
import type { RandomStream } from '../kernel/random.js'

const { answered: person, ...noPerson } = usualMix.answers[0]
const answers = { person, ...noPerson }

const outcomesOfPersons = usualMix.outcomes

/** Minimum and maximum seconds of talk. Other outcomes use the usual ones. */
const talkSeconds: Partial<Record<Outcome, readonly [number, number]>> = usualMix.talk

const ringSeconds: Record<keyof typeof answers, readonly [number, number]> = {
  ...usualMix.ring,
  person: usualMix.ring.answered,
}

export function drawScript(random: RandomStream): ScriptedCall {
  const answer = random.weighted(answers)
  const ring_seconds = random.whole(...ringSeconds[answer])
  if (answer === 'voicemail') return { answer, ring_seconds, talk_seconds: random.whole(...usualMix.talk.voicemail) }
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
  const talk_seconds = random.whole(...(talkSeconds[outcome] ?? usualMix.usualTalk))
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
