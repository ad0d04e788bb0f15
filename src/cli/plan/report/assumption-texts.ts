/** The assumptions of a plan as labels and texts. */
import { formatHours } from '../../../output/hours.js'
import type { CallingHours } from '../../../contract/base/calling-hours.js'
import { longMoment } from './moment-text.js'
import type { PlanResult } from './plan-result.js'

const sources = {
  defaults: 'the usual mix of the simulator; --mix, --talk or --calibrate change it',
  flags: 'from the command line',
  calibration: 'fitted to past calls',
} as const

export function listAssumptions({ assumptions }: PlanResult, zone: string): (readonly [string, string])[] {
  const { calling_hours: hours, max_attempts: attempts, campaign, rate_usd_per_minute: rate, seeds } = assumptions
  const mix = Object.entries(assumptions.mix).filter(([, share]) => share > 0)
  const later = assumptions.answered_by_attempt
  const entries: (readonly [string, string])[] = [
    [
      'campaign',
      campaign ? `${campaign.name}, with nothing else to call` : 'default settings, with nothing else to call',
    ],
    ['start', longMoment(zone, Date.parse(assumptions.start))],
    ['calling hours', hours ? `${formatHours(hours as CallingHours)}, in the time zone of each lead` : 'any hour'],
    ['attempts', `${attempts} at most; a lead with a booked callback is not done`],
    [
      'answers',
      `${mix.map(([answer, share]) => `${share}% ${answer.replaceAll('_', ' ')}`).join(', ')} (${sources[assumptions.mix_from]})`,
    ],
    ...(later.length > 1
      ? [['answered', later.map((share, at) => `${share}% of attempt ${at + 1}`).join(', ')] as const]
      : []),
    ['talk', `${assumptions.talk_seconds} s on average when a person answers`],
    ['rate', rate === null ? 'unknown' : `$${rate} a minute, from ${assumptions.rate_from ?? 'the command line'}`],
    ...(assumptions.spend_cap_usd === null
      ? []
      : [
          [
            'spend cap',
            `$${assumptions.spend_cap_usd.toLocaleString('en-US')}, of which $${assumptions.spent_usd.toLocaleString('en-US')} is spent`,
          ] as const,
        ]),
    [
      'simulations',
      `${seeds.length} for each number of lines, until ${longMoment(zone, Date.parse(assumptions.until))}`,
    ],
  ]
  return [...entries, ...assumptions.notes.map((note) => ['note', note] as const)]
}
