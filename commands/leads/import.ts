import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../../src/client/system-clock.js'
import { fileNeed, campaignNeed } from '../../src/cli/input/choices.js'
import { warnOfDoNotCall } from '../../src/cli/import/source/do-not-call-column.js'
import { phoneColumnChoices } from '../../src/cli/import/source/phone-column.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { countQueue } from '../../src/cli/lookup/waiting-people.js'
import { nameCampaign, readCampaign } from '../../src/cli/lookup/campaign-facts.js'
import { consentFlags, consentOf } from '../../src/cli/input/consent.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { listIgnored, matchColumns, MissingColumnError, type Matching } from '../../src/cli/import/source/columns.js'
import { leadFields, leadTarget, partsGiven, type LeadInput } from '../../src/cli/import/lead-target.js'
import {
  countRefused,
  describeColumns,
  describeLeadFacts,
  describeRepeated,
  renderFirstRows,
  surveyRows,
  type LeadFacts,
} from '../../src/cli/import/preview.js'
import { amount } from '../../src/cli/import/result-sentence.js'
import type { RawRow } from '../../src/cli/import/rows.js'
import { importFlags, offerResume, runImport } from '../../src/cli/import/run-import.js'
import { withSource, type ImportSource } from '../../src/cli/import/source/source.js'
import type { ImportTarget } from '../../src/cli/import/target.js'
import { ImportUi } from '../../src/cli/import/ui.js'
import { wantsColor } from '../../src/output/style.js'

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
    const consent = partsGiven(consentOf(flags))
    const ui = new ImportUi(this, file, flags)
    await withSource(
      file,
      this.around,
      { nameColumns: undefined, sheet: flags.sheet, now: systemClock.now() },
      async (source) => {
        const { table } = source
        for (const notice of table.notices) ui.say(notice)
        if (table.total === 0) ui.say(`${source.name} has the names of columns and no rows.`)
        const match = (maps: readonly string[]) =>
          matchColumns(table.columns, {
            file: source.name,
            known: leadFields,
            required: 'phone',
            maps,
            fieldsFromRest: flags['fields-from-rest'],
          })
        const matching = await this.#matchOrAsk(match, table, flags.map ?? [])
        const { fields, ignored } = matching
        if (ignored.length > 0) ui.say(`${listIgnored(matching)} --fields-from-rest sends them as custom fields.`)
        const { 'dry-run': dryRun, rate } = flags
        const target = leadTarget({ client, campaign, fields, consent, dryRun, rate })
        const earlier = flags.yes ? undefined : await offerResume(source, target, ui)
        for (const line of await warnOfDoNotCall(table.columns, table.rows())) ui.say(line)
        // The service checks each batch of a dry run by itself.
        if (dryRun) for (const line of await describeRepeated(table.rows(), (row) => target.make(row))) ui.say(line)
        const isSettled = flags.yes || flags.resume || dryRun || table.total === 0
        if (!isSettled && this.isInteractive) {
          const queue = await countQueue({ client, campaign, note: (text) => this.note(text) })
          const known = { campaign: await readCampaign(client, campaign), queue, rate: rate ?? earlier?.perMinute }
          const name = await nameCampaign(client, campaign)
          await this.#confirmPreview(source, target, {
            name,
            fields,
            ...known,
            done: ui.resume ? (earlier?.rows ?? 0) : 0,
          })
        }
        await runImport(source, target, ui)
      },
    )
  }

  /** Asks which column is the phone, if a person is there to ask and no header is known. */
  async #matchOrAsk(
    match: (maps: readonly string[]) => Matching,
    table: ImportSource['table'],
    maps: readonly string[],
  ): Promise<Matching> {
    try {
      return match(maps)
    } catch (error) {
      if (!(error instanceof MissingColumnError) || !this.isInteractive) throw error
      const found = await phoneColumnChoices(table.columns, table.rows())
      if (found.length === 0) throw error
      const choices = () => Promise.resolve(found)
      const label = 'Which column is the phone'
      const [map = ''] = await this.promptForMissing({ flag: '--map', label, value: undefined, choices })
      return match([...maps, map])
    }
  }

  async #confirmPreview(
    { name: file, table }: ImportSource,
    target: ImportTarget<LeadInput>,
    {
      name: campaign,
      fields,
      done,
      ...facts
    }: Omit<LeadFacts, 'survey'> & { name: string; fields: readonly (string | undefined)[]; done: number },
  ): Promise<void> {
    const make = (row: RawRow) => target.make(row)
    const survey = await surveyRows(table.rows(), make)
    this.note(`${describeColumns(file, table.total, table.columns, fields)}\n`)
    const { stderr, env } = this.around
    const atTerminal = Boolean(stderr.isTTY)
    const look = { width: stderr.columns || 100, color: wantsColor(atTerminal, env, !this.flagsGiven['no-color']) }
    this.note(await renderFirstRows(table.rows(), make, look))
    this.note(`${describeLeadFacts({ survey, ...facts }).join('\n')}\n`)
    const refused = countRefused(survey)
    const others =
      refused > 0 ? ` (${refused.toLocaleString('en-US')} of ${amount(table.total, 'rows')} will be refused)` : ''
    const leads =
      done > 0
        ? `the other ${amount(table.total - done, 'leads')}`
        : `${amount(table.total - refused, 'leads')}${others}`
    await this.confirm(false, `Add ${leads} to the campaign ${campaign} at ${this.host}?`)
  }
}
