/** Gathers what a plan is made of: the leads, the deployment's settings, and what the flags change in them. */
import type { Client, Contract } from '../../client/client.js'
import type { IO } from '../../config/environment.js'
import { parsePhone } from '../../phone/number.js'
import { legalHours, type CallingHours } from '../../phone/windows.js'
import { zoneKey } from '../../phone/zones.js'
import { usualMix, withMeanTalk, type CallMix } from '../../plan/call-mix.js'
import type { PlannedCampaign, PlannedLead, PlanSettings } from '../../plan/planned-world.js'
import { UsageError } from '../errors/usage-error.js'
import type { Assumptions } from './report/assumptions.js'
import { calibrate } from './calibration/calibrate.js'
import type { CalibrationReport } from './calibration/calibration.js'
import { readDeployment, readListedNumbers, type Deployment } from './deployment.js'
import { parseAreas, parseMix, parsePeriod, parsePlannedHours, parseRate, parseTalk } from './flag-values.js'
import { readLeadRows, type LeadFile, type LeadRows } from './lead-rows.js'
import { madeUpLeadsMax, makeUpLeads, usualAreas } from './made-up-leads.js'
import { isRelativeMoment, parseMoment } from './moment.js'
import { listWords } from '../results/words.js'
import { deadlineMoment, longMoment } from './report/moment-text.js'

export interface PlanFlags {
  leads?: number | undefined
  areas?: string | undefined
  by?: string | undefined
  hours?: string[] | undefined
  attempts?: number | undefined
  mix?: string | undefined
  talk?: string | undefined
  calibrate?: string | undefined
  start?: string | undefined
  within: string
  'rate-usd'?: string | undefined
  'check-dnc': boolean
  map?: string[] | undefined
  sheet?: string | undefined
}

/** The values of flags that need nothing else. They are read first, so that a mistake is told at once. */
export interface ReadFlags {
  hours: CallingHours | undefined
  mix: CallMix
  isMixGiven: boolean
  calibrateMs: number | undefined
  withinMs: number
  rate: number | undefined
}

const longestCalibrationDays = 90
const longestWithinDays = 365

export function readFlags(flags: PlanFlags): ReadFlags {
  const weights = flags.mix === undefined ? undefined : parseMix(flags.mix)
  const answered: CallMix = weights ? { ...usualMix, answers: [weights] } : usualMix
  return {
    hours: flags.hours && parsePlannedHours(flags.hours.join('; ')),
    mix: flags.talk === undefined ? answered : withMeanTalk(answered, parseTalk(flags.talk)),
    isMixGiven: flags.mix !== undefined || flags.talk !== undefined,
    calibrateMs:
      flags.calibrate === undefined ? undefined : parsePeriod(flags.calibrate, '--calibrate', longestCalibrationDays),
    withinMs: parsePeriod(flags.within, '--within', longestWithinDays),
    rate: flags['rate-usd'] === undefined ? undefined : parseRate(flags['rate-usd']),
  }
}

/** Leads of the file, or made-up ones. */
export interface PlanLeads {
  leads: PlannedLead[]
  rows: LeadRows | undefined
  notes: string[]
}

export async function gatherLeads(
  file: string | undefined,
  flags: PlanFlags,
  io: Pick<IO, 'stdin'>,
  { now, leaveOut }: Pick<LeadFile, 'now' | 'leaveOut'>,
): Promise<PlanLeads> {
  if (file !== undefined) {
    const rows = await readLeadRows({ file, map: flags.map ?? [], sheet: flags.sheet, now, leaveOut }, io)
    if (rows.leads.length + rows.unreadable.length === 0)
      throw new UsageError(
        `${file === '-' ? 'Standard input' : file} has no leads.`,
        'It needs a header row, and one row for each lead.',
      )
    return { leads: rows.leads, rows, notes: rows.notices }
  }
  const count = flags.leads ?? 0
  if (count > madeUpLeadsMax)
    throw new UsageError(
      `--leads ${count}: too many.`,
      `A plan takes at most ${madeUpLeadsMax.toLocaleString('en-US')}.`,
    )
  const areas = flags.areas === undefined ? usualAreas : parseAreas(flags.areas)
  const total = areas.reduce((sum, { weight }) => sum + weight, 0)
  const shares = areas.map(({ area, weight }) => `${Math.round((weight / total) * 100)}% with area code ${area}`)
  const notes = [`Made-up leads: ${listWords(shares)}${flags.areas === undefined ? '; --areas sets others' : ''}.`]
  return { leads: makeUpLeads(count, areas), rows: undefined, notes }
}

export interface Gathered {
  settings: PlanSettings
  deployment: Deployment | undefined
  calibration: CalibrationReport | null
  deadline: number | null
  limit: number
  zones: string[]
  assumptions: Omit<Assumptions, 'mix' | 'answered_by_attempt' | 'talk_seconds' | 'seeds'>
}

/** Settings of a campaign that is not named. They are those of a new campaign. */
const defaultCampaign: PlannedCampaign = {
  calling_hours: legalHours,
  any_hour: false,
  max_attempts: 6,
  retire_after_failures: 3,
  spend_cap_usd: null,
  spent_usd: 0,
}

export interface GatherOptions {
  /** Undefined without a deployment. */
  client: Client<Contract> | undefined
  /** Id of the campaign. */
  campaign: string | undefined
  /** The clock of a simulator. */
  now: number | undefined
  read: ReadFlags
  leads: PlanLeads
  signal: AbortSignal
  /** Shows how far a long reading is. */
  onRead: (what: string, count: number) => void
}

export async function gather(flags: PlanFlags, options: GatherOptions): Promise<Gathered> {
  const { client, read, leads, signal, onRead } = options
  const deployment = client && (await readDeployment({ ...options, client }))
  const zone = deployment?.time_zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone
  const now = deployment?.now ?? Date.now()
  const start = flags.start === undefined ? now : parseMoment(flags.start, '--start', { zone, now })
  const deadline = flags.by === undefined ? null : parseMoment(flags.by, '--by', { zone, now, after: start })
  if (deadline !== null && deadline <= start) throw pastDeadline(flags, start)
  const listed =
    flags['check-dnc'] && client
      ? await readListedNumbers(client, { signal, onPage: (count) => onRead('listed numbers', count) })
      : []
  const rate = read.rate ?? deployment?.rate?.usd ?? null
  const base: PlanSettings = {
    start,
    time_zone: zone,
    rate_usd_per_minute: rate,
    campaign: plannedCampaign(deployment, flags, read),
    listed,
    mix: read.mix,
  }
  const fitted =
    read.calibrateMs === undefined || !client
      ? undefined
      : await calibrate({
          ...{ client, signal, now, lengthMs: read.calibrateMs },
          // The calls were made with the settings of the campaign, not with those of the flags.
          settings: { ...base, campaign: campaignOf(deployment) },
          campaign: options.campaign,
          onPage: (count) => onRead('calls', count),
        })
  const mix = fitted === undefined ? read.mix : mergeMixes(fitted.mix, flags, read)
  const limit = Math.max(start + read.withinMs, deadline ?? 0)
  return {
    settings: { ...base, mix },
    deployment,
    calibration: fitted?.report ?? null,
    deadline,
    limit,
    zones: zonesOf(leads.leads),
    assumptions: {
      start: new Date(start).toISOString(),
      time_zone: zone,
      campaign: deployment?.campaign ? { id: deployment.campaign.id, name: deployment.campaign.name } : null,
      calling_hours: base.campaign.any_hour ? null : base.campaign.calling_hours,
      max_attempts: base.campaign.max_attempts,
      spend_cap_usd: base.campaign.spend_cap_usd,
      spent_usd: base.campaign.spent_usd,
      rate_usd_per_minute: rate,
      rate_from: read.rate === undefined ? (deployment?.rate?.from ?? null) : '--rate-usd',
      mix_from: fitted ? 'calibration' : read.isMixGiven ? 'flags' : 'defaults',
      until: new Date(limit).toISOString(),
      notes: [
        ...relativeNotes(flags, { start, deadline, zone }),
        ...notesOf(flags, options, { deployment, rate, zone, hasMadeUpZone: deployment?.time_zone === undefined }),
      ],
    },
  }
}

/** What a flag says wins over what was fitted. */
function mergeMixes(fitted: CallMix, flags: PlanFlags, { mix }: ReadFlags): CallMix {
  const withAnswers = flags.mix === undefined ? fitted : { ...fitted, answers: mix.answers, oddsByHour: [] }
  return flags.talk === undefined ? withAnswers : withMeanTalk(withAnswers, parseTalk(flags.talk))
}

function plannedCampaign(
  deployment: Deployment | undefined,
  { attempts }: PlanFlags,
  { hours }: ReadFlags,
): PlannedCampaign {
  const campaign = campaignOf(deployment)
  return {
    ...campaign,
    calling_hours: hours ?? campaign.calling_hours,
    any_hour: hours === undefined && campaign.any_hour,
    max_attempts: attempts ?? campaign.max_attempts,
  }
}

function campaignOf(deployment: Deployment | undefined): PlannedCampaign {
  const { calling_hours, any_hour, max_attempts, retire_after_failures, spend_cap_usd, spent_usd } =
    deployment?.campaign ?? defaultCampaign
  return { calling_hours, any_hour, max_attempts, retire_after_failures, spend_cap_usd, spent_usd }
}

function zonesOf(leads: readonly PlannedLead[]): string[] {
  const zones = new Set<string>()
  for (const { phone } of leads) {
    const number = parsePhone(phone)
    if (number.kind === 'ordinary' || number.kind === 'toll_free') zones.add(zoneKey(number.e164))
  }
  return [...zones]
}

function pastDeadline({ by, start }: PlanFlags, begin: number): UsageError {
  const clock = start === undefined ? 'the clock of the service shows' : '--start is'
  return new UsageError(
    `--by ${JSON.stringify(by)} is not after the start: ${clock} ${new Date(begin).toISOString()}.`,
    'Name a later deadline, or plan an earlier time with --start.',
  )
}

/** Says which moments were understood. */
function relativeNotes(
  { by = '', start: from = '' }: PlanFlags,
  { start, deadline, zone }: { start: number; deadline: number | null; zone: string },
): string[] {
  return [
    ...(deadline !== null && isRelativeMoment(by) ? [`--by ${by} is ${deadlineMoment(zone, deadline)}.`] : []),
    ...(isRelativeMoment(from) ? [`--start ${from} is ${longMoment(zone, start)}.`] : []),
  ]
}

interface NoteFacts {
  deployment: Deployment | undefined
  rate: number | null
  zone: string
  hasMadeUpZone: boolean
}

function notesOf(flags: PlanFlags, { leads, client, campaign: named }: GatherOptions, facts: NoteFacts): string[] {
  const { deployment, rate, zone, hasMadeUpZone } = facts
  const campaign = deployment?.campaign
  const { rows } = leads
  const cap = campaign?.spend_cap_usd ?? null
  return [
    ...leads.notes,
    ...(client === undefined ? ['Not logged in, so the clock of this machine and default settings are used.'] : []),
    ...(client !== undefined && named === undefined
      ? ['No --campaign, so the settings of a new campaign are used.']
      : []),
    ...(hasMadeUpZone ? [`Times are in the time zone of this machine, ${zone}.`] : []),
    ...(rate === null ? (deployment?.notes ?? []) : (deployment?.notes ?? []).filter((note) => !/rate/.test(note))),
    ...(campaign && campaign.status !== 'running'
      ? [`The campaign is ${campaign.status.replaceAll('_', ' ')}; the plan calls as if it were running.`]
      : []),
    ...(cap !== null && rate === null ? ['The spend cap is left out, because the rate is unknown.'] : []),
    ...(campaign?.consent_required && rows && rows.withoutConsent > 0
      ? [
          `The campaign requires consent, and ${rows.withoutConsent.toLocaleString('en-US')} rows have none. The plan counts them; an import refuses them without --consent-source.`,
        ]
      : []),
    ...(flags['check-dnc'] ? [] : ['The Do Not Call list was not checked; --check-dnc does that.']),
  ]
}
