/** What can happen on a call, as the carrier reports it to the service. */
import type { Outcome } from '../../src/contract/base/outcomes.js'
import type { Instant } from '../kernel/instant.js'
import type { MemberRole } from './member.js'

export type CallEvent =
  | { what: 'answered'; machine: boolean }
  | { what: 'interested' }
  | { what: 'handed_over'; role: MemberRole }
  | { what: 'voicemail_left' }
  | { what: 'callback_booked'; at: Instant }
  | { what: 'opted_out' }
  | { what: 'ended'; outcome: Outcome; note: string | null }
