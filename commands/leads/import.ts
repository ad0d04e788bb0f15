import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import { systemClock } from '../../src/client/system-clock.js'
import { fileNeed, campaignNeed } from '../../src/cli/input/choices.js'
import { leaveOutRows, markedRows } from '../../src/cli/import/review/leave-out.js'
import { leaveOutAdded } from '../../src/cli/import/review/leave-out-added.js'
import { columnsOf } from '../../src/cli/import/source/combined-columns.js'
import { phoneColumnChoices } from '../../src/cli/import/source/phone-column.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { countQueue } from '../../src/cli/lookup/waiting-people.js'
import { nameCampaign, readCampaign } from '../../src/cli/lookup/campaign-facts.js'
import { quoteForShell } from '../../src/cli/input/shell-word.js'
import { askForColumn, correctionsOf, replaceMap } from '../../src/cli/import/review/change-columns.js'
import { sheetPicker } from '../../src/cli/import/source/pick-sheet.js'
import { consentFlags, consentOf } from '../../src/cli/input/consent.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { listIgnored, matchColumns, MissingColumnError, type Matching } from '../../src/cli/import/source/columns.js'
import { describePerson, leadFields, leadTarget, partsGiven, type LeadInput } from '../../src/cli/import/lead-target.js'
import { journalName } from '../../src/cli/import/journal.js'
import { describeKnown, noteKnown } from '../../src/cli/import/review/known-rows.js'
import { SentPeople, type KnownRows } from '../../src/cli/import/sent-people.js'
import { identityOf, openJournal, reviewEarlierRun } from '../../src/cli/import/review/earlier-run.js'
import { isCallable } from '../../src/cli/import/review/number-faults.js'
import { describeLeadFacts } from '../../src/cli/import/review/preview.js'
import {
  confirmOrCorrect,
  describeAmount,
  describeNone,
  offerCorrection,
  refuseEveryRow,
  showPreview,
} from '../../src/cli/import/review/review.js'
import { theAmount } from '../../src/cli/import/result-sentence.js'
import { importFlags, runImport } from '../../src/cli/import/run-import.js'
import { countRefused, describeFaults, surveyRows, type RowRules } from '../../src/cli/import/review/survey.js'
import { withSource, type ImportSource } from '../../src/cli/import/source/source.js'
import type { RawRow } from '../../src/cli/import/rows.js'
import type { ImportTarget } from '../../src/cli/import/target.js'
import { ImportUi } from '../../src/cli/import/ui.js'

export default class LeadsImport extends SvcCommand<typeof LeadsImport> {
  static override summary = 'Add the leads of a file to a campaign'
  static override description =
    'Reads CSV (with commas, semicolons or tabs), an Excel workbook (.xlsx) or JSON lines and adds one lead for each row. Matches columns to fields by name; ' +
    'use --map for the others. Sends leads as fast as the rate limits allow. Writes refused rows to a file that you can correct ' +
    'and import again, and exits 6. If the import is interrupted, run the same command with --resume: no lead is added twice.'
  static override examples = [
    '<%= config.bin %> leads import people.csv --campaign "Web leads" --dry-run',
    '<%= config.bin %> leads import people.csv --campaign "Web leads" --map "First Name=name" --map "City=fields.city"',
    '<%= config.bin %> leads import people.csv --campaign "Web leads" --consent-source web_form --consent-at 2026-10-01T09:30:00Z --consent-url https://example.com/form --yes',
    'cat people.jsonl | <%= config.bin %> leads import - --campaign "Web leads" --failed-file refused.csv --json',
  ]
  static override args = {
    file: Args.string({
      description: 'CSV, .xlsx or JSON lines file, or - for standard input (required)',
      ignoreStdin: true,
    }),
  }
  static override flags = {
    campaign: Flags.string({ summary: 'Campaign to add the leads to (required)', helpValue: '<name or id>' }),
    ...importFlags,
    'fields-from-rest': Flags.boolean({ summary: 'Send unmatched columns as custom fields' }),
    'skip-marked': Flags.boolean({
      summary: 'Leave out rows marked in a column such as "Do Not Call", or with such a value',
    }),
    'skip-added': Flags.boolean({
      summary: 'Leave out rows with numbers that an earlier import added to the campaign',
    }),
    ...consentFlags,
    rate: Flags.integer({ summary: 'New leads per minute, if the key has a known limit', min: 1 }),
    'dry-run': Flags.boolean({ summary: 'Run every check and save nothing', exclusive: ['resume'] }),
    ...yesFlag,
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsImport>): Promise<void> {
    const client = await this.client({ affectsPeople: true })
    const [file = '', named = ''] = await this.promptForMissing(
      fileNeed(args.file),
      campaignNeed(client, flags.campaign, (text) => this.campaignId(client, text)),
    )
    const campaign = await (await this.lookup(client)).campaign(named)
    const ui = new ImportUi(this, file, flags)
    const pickSheet = sheetPicker(this, flags.map ?? [])
    const reading = { nameColumns: undefined, sheet: flags.sheet, pickSheet, now: systemClock.now() }
    await withSource(file, this.around, reading, async (source) => {
      const { table } = source
      for (const notice of table.notices) ui.say(notice)
      if (table.total === 0) ui.say(`${source.name} has the names of columns and no rows.`)
      await this.#import({ client, campaign, source, ui, flags })
    })
  }

  /** Reviews the import until the person corrects no more columns, and runs it. */
  async #import({ source: all, ...given }: Given): Promise<void> {
    const { ui, flags } = given
    let maps: readonly string[] = flags.map ?? []
    let typed = maps
    let isAddedLeftOut = flags['skip-added'] || (this.#isAsked(flags) ? undefined : false)
    let source: ImportSource | undefined
    for (;;) {
      const { matching, used, asked } = await this.#matchOrAsk(all, flags, maps)
      typed = [...typed, ...asked]
      if (matching.ignored.length > 0) ui.say(`${listIgnored(matching)} ${describeFieldsFromRest(matching)}`)
      const target = this.#target(given, matching.fields)
      source ??= await this.#leaveOut(all, given, target, matching.fields)
      const people = this.#people(given, source)
      const leaving = {
        people,
        target,
        isWanted: isAddedLeftOut,
        describe: (row: RawRow) => describePerson(target.make(row)),
      }
      const { leftOut } = ui
      const rest = await leaveOutAdded(source, ui, leaving)
      isAddedLeftOut = rest.isWanted
      const sent = await this.#reviewOrSend({ ...given, source: rest.source, target, fields: matching.fields })
      if (sent !== undefined) {
        ui.addAnswer(correctionsOf(typed, used).flatMap((map) => ['--map', quoteForShell(map)]))
        const isRecorded = !sent.isDryRun && sent.isLocal !== true
        const name = journalName(identityOf(rest.source, sent, ui))
        return runImport(rest.source, isRecorded ? people.recordSent(sent, name, rest.lines) : sent, ui)
      }
      // After a correction, the rows are looked for again.
      ui.leftOut = leftOut
      const map = await askForColumn(
        (...needs) => this.promptForMissing(...needs),
        source.table,
        matching.fields,
        leadFields,
      )
      maps = map === undefined ? used : replaceMap(used, map)
    }
  }

  #isAsked(flags: Given['flags']): boolean {
    return !flags.yes && !flags['dry-run'] && this.isInteractive
  }

  #target({ client, campaign, flags }: Omit<Given, 'source'>, fields: Matching['fields']): ImportTarget<LeadInput> {
    const { 'dry-run': dryRun, rate } = flags
    return leadTarget({ client, campaign, fields, consent: partsGiven(consentOf(flags)), dryRun, rate })
  }

  #people({ campaign, ui }: Pick<Given, 'campaign' | 'ui'>, { folder }: ImportSource): SentPeople {
    return new SentPeople(folder, [...ui.identity, campaign])
  }

  /** Rows of a new import that earlier imports sent, under other Idempotency-Keys. */
  async #countKnown(reviewed: Reviewed): Promise<KnownRows | undefined> {
    const { source, target, ui } = reviewed
    if (target.isDryRun || openJournal(source, target, ui).read() !== undefined) return undefined
    return this.#people(reviewed, source).count(source.table.rows(), target)
  }

  #leaveOut(
    source: ImportSource,
    { ui, flags }: Omit<Given, 'source'>,
    target: ImportTarget<LeadInput>,
    fields: Matching['fields'],
  ): Promise<ImportSource> {
    return leaveOutRows(source, ui, {
      kind: markedRows,
      isGiven: flags['skip-marked'],
      isAsked: this.#isAsked(flags),
      others: [...columnsOf(fields, 'phone'), ...columnsOf(fields, 'name')],
      describe: (row) => describePerson(target.make(row)),
    })
  }

  /** Returns the target that gets the rows; undefined if the person wants to correct a column first. */
  async #reviewOrSend(reviewed: Reviewed): Promise<ImportTarget<LeadInput> | undefined> {
    const { source, target, ui, flags } = reviewed
    // The service checks each batch of a dry run by itself.
    if (target.isDryRun) {
      const survey = await surveyRows(source.table.rows(), this.#rules(target))
      for (const line of describeFaults(survey, 'repeated')) ui.say(line)
    }
    if (this.#isAsked(flags) && source.table.total > 0) return this.#review(reviewed)
    const known = await this.#countKnown(reviewed)
    for (const line of known ? describeKnown(known, undefined) : []) ui.say(line)
    if (known && known.added > 0) ui.say(`--skip-added leaves out ${theAmount(known.added, 'rows')} already added.`)
    return target
  }

  /** Asks which column is the phone, if a person is there to ask and no header is known. */
  async #matchOrAsk(
    { name, table }: ImportSource,
    flags: Given['flags'],
    maps: readonly string[],
  ): Promise<{ matching: Matching; used: readonly string[]; asked: readonly string[] }> {
    const known = { file: name, known: leadFields, required: 'phone', fieldsFromRest: flags['fields-from-rest'] }
    const match = (asked: readonly string[]) => {
      const used = [...maps, ...asked]
      return { matching: matchColumns(table.columns, { ...known, maps: used }), used, asked }
    }
    try {
      return match([])
    } catch (error) {
      if (!(error instanceof MissingColumnError) || !this.isInteractive) throw error
      const found = await phoneColumnChoices(table.columns, table.rows())
      if (found.length === 0) throw error
      const choices = () => Promise.resolve(found)
      const label = 'Which column is the phone'
      const [map = ''] = await this.promptForMissing({ flag: '--map', label, value: undefined, choices })
      return match([map])
    }
  }

  /** Shows what will be sent and asks. The target refuses all rows if none can be sent; undefined to correct a column. */
  async #review(reviewed: Reviewed): Promise<ImportTarget<LeadInput> | undefined> {
    const { client, campaign, source, target, fields, ui } = reviewed
    const earlier = await reviewEarlierRun(source, target, ui)
    // The result of the earlier run is shown again, and nothing is sent.
    if (ui.resume && earlier.isFinished) return target
    const known = await this.#countKnown(reviewed)
    const facts = await this.#readFacts(client, campaign, target.rate ?? earlier.perMinute)
    const rules = this.#rules(target, facts.campaign?.consent_required)
    const survey = await showPreview(this, {
      unit: target.unit,
      source,
      fields,
      rules,
      earlier,
      facts: (found) => [
        ...(known ? describeKnown(known, facts.campaign?.duplicate_window_days) : []),
        ...describeLeadFacts({ survey: found, ...facts }),
      ],
    })
    if (survey.rows > 0 && countRefused(survey) === survey.rows) {
      const problem = describeNone(survey, 'rows', 'be added')
      const refused = { problem, table: source.table, failedFile: ui.failedFile }
      return (await offerCorrection(this, refused)) ? undefined : refuseEveryRow(target, (lead) => lead, rules)
    }
    const name = await nameCampaign(client, campaign)
    const leads = describeAmount(survey, earlier, target, ui.leftOut, known ? [noteKnown(known)] : [])
    const they = survey.rows - countRefused(survey) === 1 ? 'The lead' : 'They'
    const called = this.isLive ? ` ${they} may be called at once.` : ''
    const question = `Add ${leads} to the campaign ${name} at ${this.host}?${called}`
    return (await confirmOrCorrect(this, question, source.table)) ? target : undefined
  }

  async #readFacts(client: Client<Contract>, campaign: string, rate: number | undefined) {
    const queue = await countQueue({ client, campaign, note: (text) => this.note(text) })
    return { campaign: await readCampaign(client, campaign), queue, rate }
  }

  #rules(target: ImportTarget<LeadInput>, needsConsent = false): RowRules {
    return {
      make: (row) => target.make(row),
      problem: (row) => target.problem(row),
      takes: isCallable(this.isLive),
      needsConsent,
    }
  }
}

const describeFieldsFromRest = ({ ignored }: Matching): string =>
  `--fields-from-rest sends ${ignored.length === 1 ? 'it as a custom field' : 'them as custom fields'}.`

interface Given {
  client: Client<Contract>
  campaign: string
  source: ImportSource
  ui: ImportUi
  flags: Parsed<typeof LeadsImport>['flags']
}

interface Reviewed extends Given {
  target: ImportTarget<LeadInput>
  fields: readonly (string | undefined)[]
}
