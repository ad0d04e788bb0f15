/** Reads the values of the flags of a plan. */
import { answers, type Answer, type AnswerWeights } from '../../plan/call-mix.js'
import { areaCodeKind } from '../../phone/area-codes.js'
import type { CallingHours } from '../../phone/windows.js'
import { parseHoursText } from '../../phone/hours-text.js'
import { durationMs } from '../base/flags.js'
import { nearestWord } from '../errors/suggest.js'
import { UsageError } from '../errors/usage-error.js'

/** More lines than this are a mistake. */
export const linesMax = 100_000
/** Rows of one table. */
const rowsMax = 20

/** `5,10,20`, smallest first, each once. */
export function parseLines(text: string | undefined): number[] | undefined {
  if (text === undefined) return undefined
  const given = text.split(',').map((part) => part.trim())
  const wrong = given.find((part) => !/^\d+$/.test(part) || Number(part) < 1 || Number(part) > linesMax)
  if (wrong !== undefined)
    throw new UsageError(
      `--lines ${JSON.stringify(wrong)} is not a number of lines from 1 to ${linesMax.toLocaleString('en-US')}.`,
      'It reads like --lines 5,10,20. Leave it out to find the smallest number.',
    )
  const lines = [...new Set(given.map(Number))].sort((a, b) => a - b)
  if (lines.length > rowsMax)
    throw new UsageError(`--lines names ${lines.length} numbers.`, `A plan compares at most ${rowsMax}.`)
  return lines
}

const shareTolerance = 0.01

/** `answered=42,voicemail=26,no_answer=28,busy=4`, which add up to 100. */
export function parseMix(text: string): AnswerWeights {
  const weights = { answered: 0, voicemail: 0, no_answer: 0, busy: 0, failed: 0 }
  const named = new Set<string>()
  for (const part of text.split(',')) {
    const [name = '', share = '', ...more] = part.trim().split('=')
    const answer = answers.find((one) => one === name.trim())
    if (answer === undefined) throw unknownAnswer(name.trim())
    const value = Number(share)
    if (more.length > 0 || share.trim() === '' || !(value >= 0 && value <= 100))
      throw new UsageError(
        `--mix ${part.trim()}: not a share from 0 to 100.`,
        'It reads like --mix answered=42,voicemail=26,no_answer=28,busy=4.',
      )
    if (named.has(answer)) throw new UsageError(`--mix says twice how often ${answer} is.`, 'Leave one of the two out.')
    named.add(answer)
    weights[answer] = value
  }
  const total = Math.round(sumOf(weights) * 100) / 100
  if (Math.abs(total - 100) > shareTolerance)
    throw new UsageError(`--mix adds up to ${total}, not to 100.`, 'Change the shares so that they add up to 100.')
  return weights
}

const sumOf = (weights: Readonly<Record<Answer, number>>): number =>
  answers.reduce((sum, answer) => sum + weights[answer], 0)

function unknownAnswer(name: string): UsageError {
  const near = nearestWord(name, answers)
  return new UsageError(
    `--mix: there is no answer ${JSON.stringify(name)}.`,
    near === undefined ? `The answers are: ${answers.join(', ')}.` : `Did you mean ${near}?`,
  )
}

export interface AreaWeight {
  area: string
  weight: number
}

/** `212:30,415:20,808:5`. The weights need not add up to anything. */
export function parseAreas(text: string): AreaWeight[] {
  const found = new Map<string, number>()
  for (const part of text.split(',')) {
    const [, area = '', weight = '1'] = /^(\d{3})(?::(\d+(?:\.\d+)?))?$/.exec(part.trim()) ?? []
    if (area === '')
      throw new UsageError(
        `--areas ${JSON.stringify(part.trim())} is not an area code with a weight.`,
        'It reads like --areas 212:30,415:20,808:5.',
      )
    checkArea(area)
    if (!(Number(weight) > 0))
      throw new UsageError(`--areas ${part.trim()}: the weight is not above 0.`, 'Leave the area out.')
    if (found.has(area)) throw new UsageError(`--areas names ${area} twice.`, 'Leave one of the two out.')
    found.set(area, Number(weight))
  }
  return [...found].map(([area, weight]) => ({ area, weight }))
}

function checkArea(area: string): void {
  const kind = areaCodeKind(area)
  if (kind === 'geographic' || kind === 'toll_free') return
  const problem =
    kind === 'premium'
      ? `${area} is a premium-rate area code: its numbers are never called.`
      : kind === 'international'
        ? `${area} is outside the US and Canada: its numbers are never called.`
        : `there is no area code ${area}.`
  throw new UsageError(`--areas: ${problem}`, 'Name area codes of the US and Canada, such as 212.')
}

export function parsePlannedHours(text: string): CallingHours {
  const hours = parseHoursText(text)
  if (hours) return hours
  throw new UsageError(
    `--hours ${JSON.stringify(text)} is not a week of calling hours.`,
    'Use a form like --hours "mon-fri 09:00-18:00; sat 10:00-14:00".',
  )
}

const longestTalkMs = 3_600_000

/** Seconds of talk. */
export function parseTalk(text: string): number {
  const ms = durationMs(text, '--talk')
  if (ms >= 1000 && ms <= longestTalkMs) return ms / 1000
  throw new UsageError(`--talk ${text} is not between 1 second and 1 hour.`, 'It reads like --talk 75s.')
}

const dayMs = 86_400_000

/** A duration of at least an hour and at most `mostDays`. */
export function parsePeriod(text: string, flag: string, mostDays: number): number {
  const ms = durationMs(text, flag)
  if (ms >= 3_600_000 && ms <= mostDays * dayMs) return ms
  throw new UsageError(`${flag} ${text} is not between 1 hour and ${mostDays} days.`, `It reads like ${flag} 30d.`)
}

export function parseRate(text: string): number {
  const rate = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
  if (rate <= 1000) return rate
  throw new UsageError(`--rate-usd ${text} is not a price per minute.`, 'It reads like --rate-usd 0.12.')
}
