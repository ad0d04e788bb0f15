/** The words for how a call ended (specification, Outcome words). */
import { z } from 'zod'

export const outcomes = [
  'interested',
  'not_interested',
  'callback',
  'voicemail',
  'no_answer',
  'busy',
  'failed',
  'dnc',
  'wrong_number',
  'hung_up',
  'screened',
  'language_barrier',
  'not_qualified',
  'undetermined',
  'other',
] as const

export const Outcome = z.enum(outcomes).meta({ id: 'Outcome', description: 'How a call ended.' })
export type Outcome = z.output<typeof Outcome>
