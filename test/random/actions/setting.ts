/** The starting world of a random run: two organizations, campaigns with awkward settings, keys of all kinds. */
import fc from 'fast-check'
import type { CallingHours } from '../../../src/contract/base/calling-hours.js'
import type { CampaignSettings } from '../../../src/contract/control/campaigns.js'
import type { WorldFileInput } from '../../../src/contract/control/world-file.js'

const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Day = NonNullable<CallingHours['mon']>

const everyDay = (day: Day): CallingHours => Object.fromEntries(weekdays.map((name) => [name, day]))

const time = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Windows of any length at any time of the day. They may touch and overlap. */
const anyDay: fc.Arbitrary<Day> = fc.array(
  fc
    .tuple(fc.integer({ min: 6 * 60, max: 22 * 60 }), fc.constantFrom(1, 1, 2, 30, 60, 240, 119))
    .map(([from, length]): [string, string] => [time(from), time(Math.min(24 * 60, from + length))]),
  { maxLength: 3 },
)

export const callingHours: fc.Arbitrary<CallingHours> = fc.oneof(
  { weight: 5, arbitrary: fc.constant(everyDay([['08:00', '21:00']])) },
  { weight: 3, arbitrary: fc.constant(everyDay([['00:00', '24:00']])) },
  { weight: 4, arbitrary: fc.constant(everyDay([['09:00', '17:00']])) },
  { weight: 1, arbitrary: fc.constant(everyDay([['12:00', '12:01']])) },
  // Adjoining windows.
  {
    weight: 1,
    arbitrary: fc.constant(
      everyDay([
        ['09:00', '12:00'],
        ['12:00', '12:30'],
        ['13:00', '20:59'],
      ]),
    ),
  },
  // Only Sundays, because clocks change on Sundays.
  { weight: 1, arbitrary: fc.constant({ sun: [['00:00', '24:00']] } satisfies CallingHours) },
  // Never open.
  { weight: 1, arbitrary: fc.constantFrom({}, everyDay([['02:00', '05:00']])) },
  { weight: 3, arbitrary: fc.record(Object.fromEntries(weekdays.map((name) => [name, anyDay]))) },
)

const words = {
  lines: fc.constantFrom(0, 1, 1, 1, 2, 2, 3, 4, 25),
  calling_hours: callingHours,
  any_hour: fc.constantFrom(false, false, false, true),
  consent_required: fc.constantFrom(false, false, true),
  call_now_default: fc.constantFrom(false, false, false, true),
  late_after_minutes: fc.constantFrom(1, 2, 15, 90),
  duplicate_window_days: fc.constantFrom(0, 0, 0, 1, 30),
  max_attempts: fc.constantFrom(1, 2, 3, 6),
  retire_after_failures: fc.constantFrom(1, 2, 3, 3, 3),
  spend_cap_usd: fc.constantFrom(null, null, null, null, 0, 0.12, 1, 2),
}

/** Settings that may change during a run, one or several at once. */
export const campaignChanges: fc.Arbitrary<CampaignSettings> = fc
  .record(
    { ...words, status: fc.constantFrom('running', 'running', 'running', 'paused', 'not_started', 'completed') },
    { requiredKeys: [] },
  )
  .map((changes) => Object.fromEntries(Object.entries(changes).filter((_, n, all) => n === 0 || n === all.length - 1)))

const campaign: fc.Arbitrary<CampaignSettings> = fc.record({
  ...words,
  status: fc.constantFrom('running', 'running', 'running', 'running', 'paused', 'not_started'),
})

/** Hours and days before clock changes, and ordinary days. */
const beginnings = [
  '2026-03-06T20:59:00Z',
  '2026-03-08T06:30:00Z',
  '2026-05-31T23:00:00Z',
  '2026-10-01T15:00:00Z',
  '2026-10-30T16:00:00Z',
  '2026-11-01T05:30:00Z',
  '2026-12-31T18:00:00Z',
]

export interface Setting {
  seed: number
  now: string
  world: WorldFileInput
}

/** An organization in which nothing happens. See Journal. */
export const quietName = 'Quiet'
const quiet = { name: quietName, campaigns: [{ name: 'Quiet', status: 'not_started' as const, lines: 0 }] }

const zones = ['America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'America/Los_Angeles']

const scoped = (mode: 'live' | 'test', ...campaign_ids: string[]) => ({ mode, campaign_ids })

const named = (campaigns: CampaignSettings[]) => campaigns.map((one, n) => ({ ...one, name: `campaign ${n}` }))

export const setting: fc.Arbitrary<Setting> = fc
  .record({
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    now: fc.constantFrom(...beginnings),
    first: fc.array(campaign, { minLength: 3, maxLength: 4 }),
    second: fc.array(campaign, { minLength: 2, maxLength: 2 }),
    zones: fc.tuple(fc.constantFrom(...zones), fc.constantFrom(...zones)),
  })
  .map(({ seed, now, first, second, zones: [firstZone, secondZone] }) => ({
    seed,
    now,
    world: {
      organizations: [
        {
          name: 'First',
          time_zone: firstZone,
          campaigns: named(first),
          keys: [
            'live',
            'test',
            scoped('live', 'campaign 0'),
            scoped('live', 'campaign 1', 'campaign 2'),
            scoped('test', 'campaign 0', 'campaign 2'),
          ],
        },
        {
          name: 'Second',
          time_zone: secondZone,
          rate_usd_per_minute: 0.035,
          campaigns: named(second),
          keys: ['live', 'test', scoped('live', 'campaign 1')],
        },
        quiet,
      ],
    },
  }))
