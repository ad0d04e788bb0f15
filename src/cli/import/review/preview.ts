/** What an import will do, shown before the question: columns, first rows, queue, consent, time, and damaged numbers. */
import type { Campaign } from '../../../contract/campaigns.js'
import { newLeadsPerMinute, waitingLeadsPerCampaign } from '../../../contract/limits.js'
import { fieldText } from '../../../output/columns/columns.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { renderTable } from '../../../output/table/table.js'
import { columnsOf, plainField } from '../source/combined-columns.js'
import { fieldInWords } from '../source/field-words.js'
import type { PeopleCount } from '../../lookup/waiting-people.js'
import { amount } from '../result-sentence.js'
import type { RawRow } from '../rows.js'
import type { Row, Survey } from './survey.js'

export interface Look {
  width: number
  color: boolean
}

const shownRows = 5

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
    return `${names.join(field === 'name' ? ' + ' : ', else ')} → ${fieldInWords(field)}`
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
  const isMixed = withoutConsent > 0 && withoutConsent < rows
  const some = isMixed
    ? `; ${withoutConsent.toLocaleString('en-US')} of ${amount(rows, 'rows')} ${withoutConsent === 1 ? 'has' : 'have'} none`
    : ''
  if (!campaign.consent_required) return [`Consent: not required by the campaign${some}.`]
  if (withoutConsent === 0) return ['Consent: required by the campaign, and every row has it.']
  return [
    `Warning: the campaign requires consent, and ${withoutConsent} of ${amount(rows, 'rows')} will be refused without it.`,
    'Add --consent-source, --consent-at and --consent-text or --consent-url for all rows.',
  ]
}
