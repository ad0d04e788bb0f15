/** The call scripts of the two reserved test numbers, the same for every seed (rule T1). */
import type { ScriptedCall } from '../../src/contract/control/scripts.js'

export const reservedScripts: ReadonlyMap<string, ScriptedCall> = new Map([
  [
    '+15550100001',
    {
      answer: 'person',
      outcome: 'interested',
      ring_seconds: 6,
      talk_seconds: 229,
      interested_after_seconds: 95,
      handover: { role: 'sdr', accept_after_seconds: 118 },
    },
  ],
  ['+15550100002', { answer: 'voicemail', outcome: 'voicemail', ring_seconds: 22, talk_seconds: 33 }],
])
