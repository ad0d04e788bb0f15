/** Checks that the explanation of a lead says the same as the lead itself and as the model of the dialing rules. */
import type { Explanation } from '../../src/contract/control/explain.js'
import type { Lead } from '../../src/contract/leads.js'
import { ruleOfReason } from '../../src/dialing/eligibility.js'
import { isBusy, leadOf } from './model/mirror.js'
import { judgeWaiting } from './model/judgement.js'
import { must } from './model/rule.js'
import type { Run } from './run.js'

const iso = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

/** Each rule that can end a lead's time in the queue. */
const ending = ['campaign', 'attempts', 'retired_number', 'dnc', 'taken_out']

export async function checkExplanation({ stage, mirror }: Run, lead: Lead): Promise<void> {
  const explanation = await stage.simulation.control<Explanation>('GET', `/_sim/leads/${lead.id}/explain`)
  const { decides, next_call_at, status } = explanation
  const about = { lead, decides, next_call_at, rules: explanation.rules.map(({ rule, says }) => `${rule}: ${says}`) }
  must(status === lead.status, 'the explanation is about the lead as it is', about)
  if (lead.status === 'scheduled') {
    must(
      decides === ruleOfReason[lead.scheduled_reason ?? 'outside_calling_hours'],
      'the scheduled reason decides',
      about,
    )
    must(next_call_at === lead.scheduled_for, 'the next call is when the lead is scheduled for', about)
  } else if (lead.status === 'held') must(decides === 'campaign' && next_call_at === null, 'the hold decides', about)
  else if (lead.status === 'queued')
    must(decides === 'lines' && next_call_at === null, 'who is in line waits for a line', about)
  else if (lead.status === 'callback_scheduled') {
    const { first, reason } = judgeWaiting(mirror, leadOf(mirror, lead.id), mirror.now)
    const rule = reason === 'next_dial_time' ? 'callback' : ruleOfReason[reason as 'outside_calling_hours']
    must(decides === rule && next_call_at === iso(first), 'a callback is due when the rules allow it', {
      ...about,
      first: iso(first),
    })
  } else if (isBusy(lead.status)) must(decides === null, 'nothing keeps a lead that is on the telephone', about)
  else must(decides !== null && ending.includes(decides), 'a rule ended the time in the queue', about)
}
