/**
 * Measures `svc plan`. `speed` times the search for the smallest number of lines. `forecast` compares the promised day of
 * random campaigns with 100 fresh seeds, next to what arithmetic promises. `node --import tsx bench/plan.ts speed 20000`
 */
import { cpuUsage, memoryUsage } from 'node:process'
import { openSpans, arithmeticEnd } from '../src/cli/plan/arithmetic.js'
import { makeUpLeads } from '../src/cli/plan/made-up-leads.js'
import { PlanMaker, type PlanQuestion } from '../src/cli/plan/make-plan.js'
import { percentile } from '../src/cli/plan/percentile.js'
import { WorldThreads } from '../src/cli/plan/world-threads.js'
import { dayOf } from '../src/phone/local-day.js'
import { zoneKey } from '../src/phone/zones.js'
import { usualMix, withMeanTalk, type CallMix } from '../src/plan/call-mix.js'
import type { PlannedLead, PlanSettings, WorldResult } from '../src/plan/planned-world.js'
import { RandomStream } from '../simulator/kernel/random.js'
import { machine } from './machine.js'

const dayMs = 86_400_000
const zone = 'America/New_York'
/** A Monday, 09:00 in New York. */
const monday = Date.parse('2026-11-23T14:00:00Z')

function settingsOf(
  campaign: Partial<PlanSettings['campaign']>,
  mix: CallMix = usualMix,
  start = monday,
): PlanSettings {
  const day = [['09:00', '18:00']] as const
  return {
    start,
    time_zone: zone,
    rate_usd_per_minute: 0.12,
    listed: [],
    mix,
    campaign: {
      calling_hours: { mon: day, tue: day, wed: day, thu: day, fri: day },
      any_hour: false,
      max_attempts: 3,
      retire_after_failures: 3,
      spend_cap_usd: null,
      spent_usd: 0,
      ...campaign,
    },
  }
}

const zonesOf = (leads: readonly PlannedLead[]): string[] => [...new Set(leads.map(({ phone }) => zoneKey(phone)))]

const print = (line: string) => process.stdout.write(`${line}\n`)

async function measureSpeed(count: number): Promise<void> {
  const areas = ['212:30', '415:20', '312:20', '713:15', '808:5'].map((text) => {
    const [area = '', weight] = text.split(':')
    return { area, weight: Number(weight) }
  })
  const leads = makeUpLeads(count, areas)
  const settings = settingsOf({})
  const began = performance.now()
  const { threads, loaded } = await WorldThreads.open(settings, leads)
  let worlds = 0
  const question: PlanQuestion = {
    ...{ settings, loaded, zones: zonesOf(leads), lines: undefined, currentLines: undefined },
    deadline: Date.parse('2026-12-01T22:00:00Z'),
    limit: monday + 60 * dayMs,
    seeds: [1, 2, 3, 4, 5],
    atOnce: threads.count,
  }
  const plan = new PlanMaker(question, {
    run: (run) => threads.run(run),
    onChange: ({ ended }) => {
      worlds = ended
    },
  })
  try {
    await plan.make()
  } finally {
    await threads.close()
  }
  const { user, system } = cpuUsage()
  const seconds = (performance.now() - began) / 1000
  const { lines, table } = plan.outcome
  print(
    `${count} leads: ${lines} lines of ${table.map((row) => row.lines).join(', ')}; ${worlds} worlds in ${seconds.toFixed(1)} s ` +
      `on ${threads.count} threads, ${((user + system) / 1e6).toFixed(1)} s of processor time, ${memoryMb()} MB`,
  )
}

const memoryMb = (): number => Math.round(memoryUsage().rss / 1e6)

interface Campaign {
  settings: PlanSettings
  leads: PlannedLead[]
  lines: number
}

const areaCodes = ['212', '312', '303', '213', '415', '713', '808', '907', '602', '602', '416', '850', '888']

/** A campaign with random leads, hours, attempts, answers and lines. */
function randomCampaign(nth: number): Campaign {
  const random = new RandomStream(nth, 'campaign')
  const areas = Array.from({ length: random.whole(1, 5) }, () => random.pick(areaCodes))
  const leads = makeUpLeads(
    random.whole(200, 1_500),
    [...new Set(areas)].map((area) => ({ area, weight: random.whole(1, 30) })),
  )
  const opens = random.whole(8, 10)
  const window = [[`${String(opens).padStart(2, '0')}:00`, `${opens + random.whole(4, 10)}:30`]] as [string, string][]
  const week = { mon: window, tue: window, wed: window, thu: window, fri: window }
  const answered = random.whole(10, 60)
  const voicemail = random.whole(5, 90 - answered)
  const mix: CallMix = withMeanTalk(
    { ...usualMix, answers: [{ answered, voicemail, no_answer: 92 - answered - voicemail, busy: 5, failed: 3 }] },
    random.whole(40, 150),
  )
  const hours = random.fraction() < 0.5 ? { ...week, sat: window } : week
  const settings = settingsOf(
    { calling_hours: hours, max_attempts: random.whole(1, 6) },
    mix,
    monday + random.whole(0, 6) * dayMs,
  )
  return { settings, leads, lines: random.whole(2, 40) }
}

const isByDay = ({ finished }: WorldResult, end: number | null): boolean =>
  end === null || (finished !== null && dayOf(zone, finished) <= dayOf(zone, end))

async function checkForecast(campaigns: number, fresh: number): Promise<void> {
  let [days, moments, arithmetic, all, held] = [0, 0, 0, 0, 0]
  for (let nth = 1; nth <= campaigns; nth++) {
    const { settings, leads, lines } = randomCampaign(nth)
    const until = settings.start + 120 * dayMs
    const { threads } = await WorldThreads.open(settings, leads)
    const seedsFrom = (first: number, count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => threads.run({ lines, until, seed: first + at })))
    const [planned, seen] = [await seedsFrom(1, 5), await seedsFrom(1_000, fresh)]
    await threads.close()
    const promised = percentile(planned.map(({ finished }) => finished))
    const lineMs = planned.reduce((sum, result) => sum + result.lineMs, 0) / planned.length
    const guess = arithmeticEnd(lineMs, lines, openSpans(settings.campaign, zonesOf(leads), settings.start, until))
    const byDay = seen.filter((result) => isByDay(result, promised)).length
    const byGuess = seen.filter((result) => isByDay(result, guess)).length
    days += byDay
    arithmetic += byGuess
    moments += seen.filter(({ finished }) => promised !== null && finished !== null && finished <= promised).length
    all += seen.length
    if (byDay / seen.length >= 0.85) held++
    const shown = (end: number | null) => (end === null ? 'never' : dayOf(zone, end))
    print(
      `${nth}: ${leads.length} leads, ${lines} lines, ${settings.campaign.max_attempts} attempts: promised ${shown(promised)}, ` +
        `held in ${byDay} of ${seen.length}; arithmetic ${shown(guess)}, held in ${byGuess}`,
    )
  }
  const percent = (count: number) => `${((100 * count) / all).toFixed(1)}%`
  print(
    `The promised day held in ${percent(days)} of ${all} fresh simulations (in at least 85% for ${held} of ${campaigns} campaigns), ` +
      `the promised moment in ${percent(moments)}, the day by arithmetic in ${percent(arithmetic)}.`,
  )
}

const [what, first, second] = process.argv.slice(2)
print(machine)
if (what === 'speed') await measureSpeed(Number(first ?? 20_000))
else if (what === 'forecast') await checkForecast(Number(first ?? 40), Number(second ?? 100))
else throw new Error('Say what to measure: speed <leads>, or forecast <campaigns> <fresh seeds>.')
