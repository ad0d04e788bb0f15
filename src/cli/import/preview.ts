/** What an import will do, shown before the question: columns, first rows, queue, consent, time, and damaged numbers. */
import type { Campaign } from '../../contract/campaigns.js'
import { newLeadsPerMinute, waitingLeadsPerCampaign } from '../../contract/limits.js'
import { fieldText } from '../../output/columns/columns.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { renderTable } from '../../output/table/table.js'
import { cutTo } from '../../output/table/width.js'
import { columnsOf, plainField } from './source/combined-columns.js'
import type { PeopleCount } from '../lookup/waiting-people.js'
import { LineList } from './line-list.js'
import { amount } from './result-sentence.js'
import type { RawRow } from './rows.js'

export interface Look {
  width: number
  color: boolean
}

/** A row as it will be sent. */
type Row = Readonly<Record<string, unknown>>

const shownRows = 5
const sampleWidth = 30

/** Renders a table of the first rows, as they will be sent. */
export async function renderFirstRows(
  rows: AsyncIterable<RawRow>,
  make: (row: RawRow) => Row,
  look: Look,
): Promise<string> {
  const items: Record<string, unknown>[] = []
  for await (const row of rows) {
    if (row.problem === undefined) items.push(flattenRow(make(row)))
    if (items.length === shownRows) break
  }
  const columns = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const { Chalk } = await import('chalk')
  const { bold } = new Chalk({ level: look.color ? 1 : 0 })
  // Shows times unchanged, as they will be sent.
  const cells = items.map((item) => columns.map((column) => ({ text: stripControlsFromLine(fieldText(item[column])) })))
  return renderTable(columns, cells, { width: look.width, header: true, bold })
}

function flattenRow(row: Row): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(row).flatMap(([name, value]) =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, part]) => [`${name}.${inner}`, part])
        : [[name, value]],
    ),
  )
}

/** What the rows of a file lack, counted before anything is sent. */
export interface Survey {
  rows: number
  /** Rows without a number. */
  withoutPhone: number
  /** Numbers that a spreadsheet has shortened, such as 2.12556E+09. */
  shortened: LineList
  /** Other values that are not phone numbers, and the first of them. */
  invalid: LineList
  invalidSample: string
  /** Numbers that an earlier row has. */
  repeated: LineList
  withoutConsent: number
}

/** Rows that are refused for their number. */
export const countRefused = ({ withoutPhone, shortened, invalid, repeated }: Survey): number =>
  withoutPhone + shortened.count + invalid.count + repeated.count

/** Repeated numbers are found among this many, so that memory does not grow with the file. */
const knownNumbersMax = 200_000

/** A number in scientific notation: its last digits are lost. */
const scientific = /^[+']?\d(?:[.,]\d+)?E\+?\d+$/i

export async function surveyRows(rows: AsyncIterable<RawRow>, make: (row: RawRow) => Row): Promise<Survey> {
  const [shortened, invalid, repeated] = [new LineList(), new LineList(), new LineList()]
  const survey: Survey = {
    rows: 0,
    withoutPhone: 0,
    shortened,
    invalid,
    invalidSample: '',
    repeated,
    withoutConsent: 0,
  }
  const { parsePhone } = await import('../../phone/number.js')
  const seen = new Set<string>()
  for await (const row of rows) {
    const item = make(row)
    const phone = typeof item['phone'] === 'string' ? item['phone'] : ''
    survey.rows++
    const number = parsePhone(phone)
    if (phone === '') survey.withoutPhone++
    else if (scientific.test(phone)) shortened.add(row.line)
    else if (number.kind === 'invalid') {
      invalid.add(row.line)
      survey.invalidSample ||= phone
    } else if (seen.has(number.e164)) repeated.add(row.line)
    else if (seen.size < knownNumbersMax) seen.add(number.e164)
    if (item['consent'] === undefined) survey.withoutConsent++
  }
  return survey
}

/** One line for what was read and which column became which field. */
export function describeColumns(
  name: string,
  rows: number,
  columns: readonly string[],
  fields: readonly (string | undefined)[],
): string {
  const known = [...new Set(fields.flatMap((field) => (field === undefined ? [] : plainField(field))))]
  const matched = known.map((field) => {
    const names = columnsOf(fields, field).map((at) => columns[at])
    return `${names.join(field === 'name' ? ' + ' : ', else ')} → ${field}`
  })
  return `${name}: ${amount(rows, 'rows')}. Columns: ${matched.join(', ')}.`
}

export interface LeadFacts {
  survey: Survey
  campaign: Campaign | undefined
  queue: PeopleCount
  /** New leads per minute, if the user gave it or an earlier run learned it. */
  rate: number | undefined
}

/** Lines about the queue, the consent and the time of an import of leads. */
export function describeLeadFacts({ survey, campaign, queue, rate }: LeadFacts): string[] {
  const room = Math.max(0, waitingLeadsPerCampaign - queue.count)
  const tight = room < survey.rows ? ' The others wait until there is room, up to --max-wait.' : ''
  const perMinute = rate ?? newLeadsPerMinute
  const minutes = Math.max(0, Math.ceil(survey.rows / perMinute) - 1)
  const time = minutes === 0 ? 'less than a minute' : `about ${describeMinutes(minutes)}`
  return [
    ...describeDamage(survey),
    `Room in the queue: ${queue.isExact ? '' : 'at most '}${amount(room, 'leads')}.${tight}`,
    ...describeConsent(survey, campaign),
    `Time: ${time} at ${perMinute.toLocaleString('en-US')} a minute.`,
  ]
}

/** Up to two hours in minutes, then in hours and minutes. */
function describeMinutes(minutes: number): string {
  const hours = Math.floor(minutes / 60)
  if (hours < 2) return amount(minutes, 'minutes')
  return [amount(hours, 'hours'), ...(minutes % 60 > 0 ? [amount(minutes % 60, 'minutes')] : [])].join(' ')
}

function describeConsent({ withoutConsent, rows }: Survey, campaign: Campaign | undefined): string[] {
  if (!campaign) return []
  if (!campaign.consent_required) return ['Consent: not required by the campaign.']
  if (withoutConsent === 0) return ['Consent: required by the campaign, and every row has it.']
  return [
    `Warning: the campaign requires consent, and ${withoutConsent} of ${amount(rows, 'rows')} will be refused without it.`,
    'Add --consent-source, --consent-at and --consent-text or --consent-url for all rows.',
  ]
}

const warnOfRepeated = (lines: LineList): string[] =>
  lines.count === 0
    ? []
    : [`Warning: ${amount(lines.count, 'rows')} with the number of an earlier row (${lines.describe()}).`]

/** The warning about numbers that earlier rows have. */
export async function describeRepeated(rows: AsyncIterable<RawRow>, make: (row: RawRow) => Row): Promise<string[]> {
  return warnOfRepeated((await surveyRows(rows, make)).repeated)
}

/** Warnings about numbers that cannot be right. */
export function describeDamage({ withoutPhone, shortened, invalid, invalidSample, repeated }: Survey): string[] {
  const sample = JSON.stringify(cutTo(sampleWidth, stripControlsFromLine(invalidSample)))
  return [
    ...(shortened.count > 0
      ? [
          `Warning: a spreadsheet has shortened ${amount(shortened.count, 'numbers')} (${shortened.describe()}), as in 2.12556E+09.`,
          'Format the column as text in the spreadsheet and save the file again.',
        ]
      : []),
    ...(invalid.count > 0
      ? [
          `Warning: ${amount(invalid.count, 'values')} ${invalid.count === 1 ? 'is' : 'are'} no phone number (${invalid.describe()}), such as ${sample}.`,
        ]
      : []),
    ...warnOfRepeated(repeated),
    ...(withoutPhone > 0 ? [`Warning: ${amount(withoutPhone, 'rows')} without a number will be refused.`] : []),
  ]
}
