/** The note that the AI writes about an ended call, by its outcome. */
import type { Answer } from '../../src/contract/control/scripts.js'
import type { Outcome } from '../../src/contract/base/outcomes.js'

const notes: { [K in Outcome]?: string } = {
  interested: 'Wants a quote and asked about price and dates.',
  not_interested: 'Is no longer interested.',
  callback: 'Could not talk and asked to be called back.',
  voicemail: 'Reached the voicemail.',
  dnc: 'Asked not to be called again.',
  wrong_number: 'The number belongs to another person.',
  hung_up: 'Hung up before the conversation began.',
  screened: 'A call screen asked who was calling; the call was not taken.',
  language_barrier: 'Could not be understood; speaks another language.',
  not_qualified: 'Rents the place and cannot decide.',
}

/** Null if the call was not answered or there is nothing to note. */
export function writeCallNote(answer: Answer, outcome: Outcome): string | null {
  if (answer === 'voicemail') return 'Left a message on the voicemail.'
  return answer === 'person' ? (notes[outcome] ?? null) : null
}
