/** Checks replies about calls: the times that go with a status, transcripts and started calls (rules S2, S4 and D15). */
import type { Call } from '../../../contract/calls.js'
import { apiCallsPerLead } from '../../../contract/limits.js'
import type { Note } from '../exchange.js'
import type { Relations } from './answered.js'
import { checkId } from './leads.js'

/** Also for calls inside events. */
export function checkCall(at: string, call: Call, note: Note): void {
  const { status, started, answered, ended } = call
  if ((status === 'ended') !== (ended !== null))
    note(`${at}.ended`, `${ended === null ? 'null' : 'given'} on a call that is ${status}`, 'S2')
  if (status === 'ringing' && answered !== null) note(`${at}.answered`, 'given on a call that rings', 'S2')
  if (status === 'in_progress' && answered === null) note(`${at}.answered`, 'null on a call in progress', 'S2')
  const times = [started, answered, ended].filter((time) => time !== null).map((time) => Date.parse(time))
  if (times.some((time, index) => index > 0 && time < (times[index - 1] ?? time)))
    note(at, 'its times are not in order', 'S2')
  if (call.handled_by.role !== 'sdr' && call.handled_by.id !== null)
    note(`${at}.handled_by.id`, 'given for the AI or a closer', 'C3')
}

export const callRelations: Relations = {
  getCall: ({ params, reply: { data } }, note) => {
    checkId(data.id, params['id'], note)
    checkCall('body data', data, note)
  },
  getTranscript: ({ params, reply }, note) => {
    if (typeof reply === 'string') return
    const { call_id, lines } = reply.data
    if (call_id !== params['id']?.toLowerCase()) note('body data.call_id', 'not the call that was asked for', 'C5')
    const times = lines.map(({ at }) => Date.parse(at))
    if (times.some((time, index) => index > 0 && time < (times[index - 1] ?? time)))
      note('body data.lines', 'not in order', 'C3')
  },
  startCall: ({ body, reply: { data } }, note) => {
    const sent = body?.['lead_id']
    if (typeof sent === 'string' && sent.toLowerCase() !== data.lead_id)
      note('body data.lead_id', 'not the lead that was sent', 'S4')
    if (data.calls_left_today > apiCallsPerLead - 1)
      note('body data.calls_left_today', 'does not count this call', 'D15')
  },
}
