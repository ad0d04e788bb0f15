/** Asks for the leads of a plan, the campaign, the deadline and the lines. */
import type { Client, Contract } from '../../client/client.js'
import type { IO } from '../../config/environment.js'
import { UsageError } from '../errors/usage-error.js'
import { parseLines } from './flag-values.js'
import { readLeadRows } from './lead-rows.js'
import { madeUpLeadsMax } from './made-up-leads.js'
import { parseMoment } from './moment.js'
import { campaignChoices, checkFile } from '../input/questions/choices.js'
import { readPath } from '../input/file-names.js'
import type { MissingValue } from '../input/questions/prompt-for-missing.js'
import type { Choice } from '../input/questions/questions.js'
import { quoteForShell } from '../input/shell-word.js'

interface PlanFlags {
  campaign?: string | undefined
  by?: string | undefined
  lines?: string | undefined
  start?: string | undefined
  map?: string[] | undefined
  sheet?: string | undefined
}

interface Asking {
  /** Undefined without a key: the plan takes default settings. */
  client: Client<Contract> | undefined
  /** The clock of the service. */
  now: number
  io: IO
  /** Throws if there is no such campaign. */
  find: (campaign: string) => unknown
}

export interface PlanAnswers {
  file?: string
  leads?: number
  campaign?: string
  by?: string
  lines?: string
}

/** Answers that leave a flag out. */
const noDeadline = 'none'
const findLines = 'find'

/** Only the leads are required. The others are asked for together with them. */
export function planNeeds(flags: PlanFlags, { client, now, io, find }: Asking): MissingValue[] {
  const { campaign, by, lines } = flags
  const campaigns = async (): Promise<Choice[]> => [
    ...(client ? await campaignChoices(client, (status) => status !== 'completed') : []),
    { name: 'None: the settings of a new campaign', value: '' },
  ]
  return [
    leadsNeed(flags, now, io),
    {
      ...{ flag: '--campaign', label: 'Campaign', typedLabel: 'Campaign (its id)', isOptional: true },
      // Without a key, there is no campaign to name.
      value: client === undefined ? '' : campaign,
      choices: campaigns,
      verifyGiven: find,
    },
    {
      ...{ flag: '--by', label: `By when, or ${noDeadline}`, value: by, isOptional: true },
      usual: () => nextFriday(now),
      check: (text) => text === noDeadline || checkDeadline(text, now, flags.start !== undefined),
      spell: (text) => (text === noDeadline ? [] : ['--by', quoteForShell(text)]),
    },
    {
      ...{ flag: '--lines', label: `Lines, such as 5,10,20, or ${findLines}`, value: lines, isOptional: true },
      usual: () => findLines,
      check: async (text) =>
        text === findLines ||
        (await problemOf(() => parseLines(text))) === true ||
        'Type up to 20 numbers with commas between, such as 5,10,20.',
      spell: (text) => (text === findLines ? [] : ['--lines', quoteForShell(text)]),
    },
  ]
}

/** The answers to `planNeeds`, as flags. */
export function readPlanAnswers([leads = '', campaign = '', by = '', lines = '']: readonly string[]): PlanAnswers {
  return {
    ...(isCount(leads) ? { leads: Number(leads) } : { file: leads }),
    ...(campaign !== '' && { campaign }),
    ...(by !== '' && by !== noDeadline && { by }),
    ...(lines !== '' && lines !== findLines && { lines }),
  }
}

/** A number with or without separators is a number of leads; anything else is a file. */
function leadsNeed({ map = [], sheet }: PlanFlags, now: number, io: IO): MissingValue {
  const read = (text: string) => (/^\d{1,3}([ ,.]\d{3})+$/.test(text) ? text.replaceAll(/\D/g, '') : readPath(text))
  const check = async (text: string): Promise<string | true> => {
    if (!isCount(text)) {
      const found = await checkFile(text)
      return found === true && text !== '-' ? problemOf(() => readLeadRows({ file: text, map, sheet, now }, io)) : found
    }
    if (map.length > 0 || sheet !== undefined) return 'A number has no columns and no sheets. Name a file.'
    const isPossible = Number(text) >= 1 && Number(text) <= madeUpLeadsMax
    return isPossible || `A plan takes 1 to ${madeUpLeadsMax.toLocaleString('en-US')} leads.`
  }
  return {
    ...{ flag: '<file>', label: 'Leads: a file (Tab completes), or how many', value: undefined, isFile: true },
    ...{ read, check, spell: (value) => (isCount(value) ? ['--leads', value] : [quoteForShell(value)]) },
    hint: 'Name a file, or give a number with --leads 50000.',
  }
}

const isCount = (text: string): boolean => /^\d+$/.test(text)

const dayMs = 86_400_000
/** The time zone of the organization is not known yet. No zone is further from UTC. */
const zoneMs = 14 * 3_600_000
const friday = 5

/** 17:00 on the next Friday that leaves two days at least. */
function nextFriday(now: number): string {
  const soonest = new Date(now + 2 * dayMs)
  const days = (friday - soonest.getUTCDay() + 7) % 7
  return `${new Date(soonest.getTime() + days * dayMs).toISOString().slice(0, 10)} 17:00`
}

async function checkDeadline(text: string, clock: number, isStartGiven: boolean): Promise<string | true> {
  let at = 0
  if ((await problemOf(() => (at = parseMoment(text, '--by', { zone: 'UTC', now: clock })))) !== true)
    return 'That is not a date with a time. It reads like 2026-11-27 17:00, friday or friday 5pm.'
  if (isStartGiven || at + zoneMs > clock) return true
  return `That is over: the clock shows ${new Date(clock).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
}

/** True, or what is wrong with a value and how to write it. */
async function problemOf(read: () => unknown): Promise<string | true> {
  try {
    await read()
    return true
  } catch (error) {
    if (error instanceof UsageError) return [error.message, error.hint].filter(Boolean).join(' ')
    throw error
  }
}
