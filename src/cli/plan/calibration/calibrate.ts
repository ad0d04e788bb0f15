/** Calibrates a plan: reads the calls of a time, fits a mix to them, and tests the fit on the last days. */
import type { Client, Contract } from '../../../client/client.js'
import type { Call } from '../../../contract/calls.js'
import { pageSizeMax } from '../../../contract/limits.js'
import { localParts } from '../../../phone/offset.js'
import { zoneKey, zonesOfKey } from '../../../phone/zones.js'
import { answerRate, answers, meanTalk, type Answer, type CallMix } from '../../../plan/call-mix.js'
import type { PlanSettings } from '../../../plan/planned-world.js'
import { UsageError } from '../../errors/usage-error.js'
import { backTest, type TestedCall } from './back-test.js'
import type { CalibrationReport } from './calibration.js'
import { fitMix, groupsOf, type MadeCall } from './fit-mix.js'

export interface CalibrationQuestion {
  client: Client<Contract>
  campaign: string | undefined
  /** The clock of the deployment, and how far back to look, in milliseconds. */
  now: number
  lengthMs: number
  settings: PlanSettings
  signal: AbortSignal
  onPage: (read: number) => void
}

export interface Calibration {
  mix: CallMix
  report: CalibrationReport
}

/** Earlier calls only number the attempts of their leads: retries go on for days. */
const runUpMs = 7 * 86_400_000
/** Calls that are read at most, the newest ones. */
const callsMax = 20_000
const leastCalls = 50

export async function calibrate(question: CalibrationQuestion): Promise<Calibration> {
  const { now, lengthMs, settings, signal } = question
  const from = now - lengthMs
  const { calls: read, isWhole } = await readCalls(question, from - runUpMs)
  const oldest = read[0]?.started ?? now
  const countedFrom = isWhole ? from : Math.max(from, oldest + Math.min(runUpMs, (now - oldest) / 2))
  const calls = read.filter(({ started }) => started >= countedFrom)
  if (calls.length < leastCalls)
    throw new UsageError(
      `--calibrate found ${calls.length} ended calls, too few to fit.`,
      `It needs ${leastCalls}. Look further back, or describe the calls with --mix and --talk.`,
    )
  const mix = fitMix(calls)
  const tested = await backTest({ calls, settings, now, signal })
  const notes = isWhole ? [] : [`Only the newest ${callsMax.toLocaleString('en-US')} calls were read.`]
  return { mix, report: { ...describeFit(calls, mix, now), ...tested, notes } }
}

function describeFit(
  calls: readonly TestedCall[],
  mix: CallMix,
  now: number,
): Omit<CalibrationReport, 'back_test' | 'back_test_missing' | 'notes'> {
  const percent = (share: number) => Math.round(share * 1000) / 10
  return {
    from: new Date(calls[0]?.started ?? now).toISOString(),
    to: new Date(now).toISOString(),
    calls: calls.length,
    attempts: groupsOf(calls).map(({ calls: count, answered }, at) => ({
      attempt: at + 1,
      calls: count,
      answered: count === 0 ? 0 : percent(answered / count),
      fitted: percent(answerRate(mix.answers[at]!)),
    })),
    by_hour: mix.oddsByHour.length > 0,
    talk_seconds: Math.round(meanTalk(mix)),
  }
}

/** Ended outbound calls since a time, oldest first, each with its attempt. */
async function readCalls(
  { client, campaign, signal, onPage }: CalibrationQuestion,
  since: number,
): Promise<{ calls: TestedCall[]; isWhole: boolean }> {
  const query = { campaign_id: campaign, limit: pageSizeMax, 'created[gte]': new Date(since).toISOString() }
  const newestFirst: Call[] = []
  let isWhole = true
  for await (const { body } of client.pages('listCalls', { query }, { signal })) {
    for (const call of body.data) if ('object' in call) newestFirst.push(call)
    onPage(newestFirst.length)
    if (newestFirst.length < callsMax) continue
    isWhole = !('meta' in body && body.meta.has_more)
    break
  }
  return { calls: numberAttempts(newestFirst.reverse()), isWhole }
}

function numberAttempts(calls: readonly Call[]): TestedCall[] {
  const attempts = new Map<string, number>()
  const sorted = [...calls].sort((a, b) => Date.parse(a.started) - Date.parse(b.started))
  return sorted.flatMap((call) => {
    const { lead } = call
    if (!lead || call.direction !== 'outbound' || call.status !== 'ended') return []
    const attempt = (attempts.get(lead.id) ?? 0) + 1
    attempts.set(lead.id, attempt)
    const made = madeCallOf(call, attempt)
    return made ? [{ ...made, lead: lead.id, phone: lead.phone ?? '', started: Date.parse(call.started) }] : []
  })
}

function madeCallOf({ lead, started, answered, ended, outcome }: Call, attempt: number): MadeCall | undefined {
  if (outcome === null || ended === null) return undefined
  const begin = Date.parse(started)
  const pickedUp = answered === null ? null : Date.parse(answered)
  const missed = answers.find(
    (answer): answer is Exclude<Answer, 'answered'> => answer !== 'answered' && answer === outcome,
  )
  return {
    attempt,
    hour: localHour(lead?.phone ?? '', begin),
    answer: missed ?? 'answered',
    outcome,
    ringSeconds: ((pickedUp ?? Date.parse(ended)) - begin) / 1000,
    talkSeconds: pickedUp === null ? 0 : (Date.parse(ended) - pickedUp) / 1000,
  }
}

function localHour(phone: string, at: number): number {
  const [zone] = zonesOfKey(zoneKey(phone))
  return zone === undefined || zone === '' ? new Date(at).getUTCHours() : Math.floor(localParts(zone, at).minute / 60)
}
