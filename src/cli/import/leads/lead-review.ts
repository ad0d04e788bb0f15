/** What is said and asked about the rows of a leads import before they are sent. */
import { nameCampaign, readCampaign } from '../../lookup/campaign-facts.js'
import { readAccountLeads } from '../../lookup/account-leads.js'
import { numbersOfRow, type LeadInput } from '../lead-target.js'
import { openJournal, reviewEarlierRun, type EarlierRun } from '../review/earlier-run.js'
import { describeKnown, describeWindow, noteKnown } from '../review/known-rows.js'
import { isCallable } from '../review/number-faults.js'
import { describeLeadFacts } from '../review/preview.js'
import {
  confirmOrCorrect,
  describeAmount,
  describeNone,
  offerCorrection,
  refuseEveryRow,
  showPreview,
} from '../review/review.js'
import { RowsInCampaigns } from '../review/rows-in-campaigns.js'
import { countRefused, describeOnly, surveyRows, type RowRules, type Survey } from '../review/survey.js'
import { theAmount } from '../result-sentence.js'
import type { KnownRows, SentPeople } from '../sent-people.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { LeadImport } from './lead-import.js'

/** An import whose columns and rows are known. */
export interface ReadyImport {
  source: ImportSource
  target: ImportTarget<LeadInput>
  fields: readonly (string | undefined)[]
  people: SentPeople
}

/** Returns the target that gets the rows; undefined if the person wants to correct a column first. */
export async function reviewLeads(given: LeadImport, ready: ReadyImport): Promise<ImportTarget<LeadInput> | undefined> {
  const { source, target } = ready
  if (given.isAsked && source.table.total > 0) return askPerson(given, ready)
  await sayWarnings(given, ready)
  return target
}

/** Warnings for a script and for a person who is not asked. */
async function sayWarnings(given: LeadImport, ready: ReadyImport): Promise<void> {
  const { ui } = given
  const { target } = ready
  const windowDays = readWindow(given)
  const survey = await surveyRepeats(given, ready, windowDays)
  // The service checks each batch of a dry run by itself.
  const repeats = target.isDryRun ? describeOnly(survey, 'repeated', 'repeated_id') : []
  const twice = [...describeOnly(survey, 'requeued'), ...survey.likenesses.describe()]
  for (const line of [...repeats, ...twice]) ui.say(line)
  const known = await countKnown(given, ready)
  for (const line of known ? describeKnown(known, await windowDays()) : []) ui.say(line)
  if (known && known.added > 0) ui.say(`--skip-added leaves out ${theAmount(known.added, 'rows')} already added.`)
}

/** Shows what will be sent and asks. The target refuses all rows if none can be sent; undefined to correct a column. */
async function askPerson(given: LeadImport, ready: ReadyImport): Promise<ImportTarget<LeadInput> | undefined> {
  const { command, client, campaign, ui } = given
  const { source, target, fields } = ready
  const earlier = await reviewEarlierRun(source, target, ui)
  // The result of the earlier run is shown again, and nothing is sent.
  if (ui.resume && earlier.isFinished) return target
  const known = await countKnown(given, ready)
  const facts = await readFacts(given, target.rate ?? earlier.perMinute)
  const { consent_required: needsConsent = false, duplicate_window_days: windowDays } = facts.campaign ?? {}
  const name = await nameCampaign(client, campaign)
  const inCampaigns = new RowsInCampaigns(facts.account, campaign)
  const rules = rulesOf(given, ready, {
    needsConsent,
    refusesRepeats: windowDays !== 0,
    sendable: (line, person) => inCampaigns.add(line, person),
  })
  const survey = await showPreview(command, {
    unit: target.unit,
    source,
    fields,
    rules,
    earlier,
    facts: async (found) => [
      ...(known ? describeKnown(known, windowDays) : []),
      ...(await describeInCampaigns(given, inCampaigns, { name, windowDays, known, earlier })),
      ...describeLeadFacts({ survey: found, ...facts }),
    ],
  })
  if (survey.rows > 0 && countRefused(survey) === survey.rows) {
    const problem = describeNone(survey, 'rows', 'be added')
    const refused = { problem, table: source.table, failedFile: ui.failedFile }
    return (await offerCorrection(command, refused)) ? undefined : refuseEveryRow(target, (lead) => lead, rules)
  }
  const isNew = earlier.finishedAt === undefined && inCampaigns.count > countSent(known)
  const notes = isNew ? inCampaigns.note(name, survey.rows) : known ? [noteKnown(known)] : []
  const leads = describeAmount(survey, earlier, target, ui.leftOut, notes)
  const they = survey.rows - countRefused(survey) === 1 ? 'The lead' : 'They'
  const called = command.isLive ? ` ${they} may be called at once.` : ''
  const question = `Add ${leads} to the campaign ${name} at ${command.host}?${called}`
  return (await confirmOrCorrect(command, question, source.table)) ? target : undefined
}

/** Rows of a new import that earlier imports sent, under other Idempotency-Keys. */
async function countKnown({ ui }: LeadImport, { source, target, people }: ReadyImport): Promise<KnownRows | undefined> {
  if (target.isDryRun || openJournal(source, target, ui).read() !== undefined) return undefined
  return people.count(source.table.rows(), target)
}

async function readFacts({ command, client, campaign }: LeadImport, rate: number | undefined) {
  const account = await readAccountLeads({ client, campaign, note: (text) => command.note(text) })
  return { campaign: await readCampaign(client, campaign), account, queue: account.queue, rate }
}

const countSent = (known: KnownRows | undefined): number => (known ? known.added + known.unanswered : 0)

interface Comparison {
  /** Name of the campaign, and its duplicate window. */
  name: string
  windowDays: number | undefined
  known: KnownRows | undefined
  earlier: EarlierRun
}

/** Sentences about people who are leads already. All rows of a finished import are, and nothing more is said of them. */
async function describeInCampaigns(
  { client }: LeadImport,
  rows: RowsInCampaigns,
  { name, windowDays, known, earlier }: Comparison,
): Promise<string[]> {
  if (earlier.finishedAt !== undefined) return []
  const isNew = rows.count > countSent(known)
  return [
    ...(isNew ? [rows.describeKnown(name)] : []),
    ...(isNew && known === undefined ? [describeWindow(rows.count, windowDays)] : []),
    ...(await rows.describeOthers(name, (id) => nameCampaign(client, id))),
  ]
}

const rulesOf = (
  { command }: LeadImport,
  { target, fields }: ReadyImport,
  campaign: Pick<RowRules, 'needsConsent' | 'refusesRepeats' | 'sendable'>,
): RowRules => ({
  make: (row) => target.make(row),
  problem: (row) => target.problem(row),
  takes: isCallable(command.isLive),
  numbers: ({ values }) => numbersOfRow(values, fields),
  ...campaign,
})

/** Reads the days of the campaign's duplicate window once, when they are needed. Undefined if they are unknown. */
function readWindow({ client, campaign }: LeadImport): () => Promise<number | undefined> {
  let read: Promise<number | undefined> | undefined
  return () => (read ??= readCampaign(client, campaign).then((found) => found?.duplicate_window_days))
}

/** Rows about the person of an earlier row. Reads the campaign only if there are any. */
async function surveyRepeats(
  given: LeadImport,
  ready: ReadyImport,
  windowDays: () => Promise<number | undefined>,
): Promise<Survey> {
  const survey = (refusesRepeats: boolean) =>
    surveyRows(ready.source.table.rows(), rulesOf(given, ready, { needsConsent: false, refusesRepeats }))
  const refused = await survey(true)
  const hasRepeats = refused.faults.has('repeated') || refused.faults.has('repeated_id')
  return hasRepeats && (await windowDays()) === 0 ? survey(false) : refused
}
