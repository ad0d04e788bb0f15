import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { partsGiven } from '../../src/cli/import/lead-target.js'
import { importLeads } from '../../src/cli/import/leads/import-leads.js'
import { importFlags } from '../../src/cli/import/run-import.js'
import { sheetPicker } from '../../src/cli/import/source/pick-sheet.js'
import { withSource } from '../../src/cli/import/source/source.js'
import { ImportUi } from '../../src/cli/import/ui.js'
import { campaignNeed, fileNeed } from '../../src/cli/input/questions/choices.js'
import { consentFlags, consentOf } from '../../src/cli/input/consent.js'

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
    again: Flags.boolean({
      summary: 'Try only the rows again that the finished import of the same file refused',
      exclusive: ['dry-run', 'skip-added'],
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
    const consent = partsGiven(consentOf(flags))
    const isAsked = !flags.yes && !flags['dry-run'] && this.isInteractive
    const pickSheet = sheetPicker(this, flags.map ?? [])
    const reading = { nameColumns: undefined, sheet: flags.sheet, pickSheet, now: systemClock.now() }
    await withSource(file, this.around, reading, async (source) => {
      const { table } = source
      for (const notice of table.notices) ui.say(notice)
      if (table.total === 0) ui.say(`${source.name} has the names of columns and no rows.`)
      await importLeads({ command: this, client, campaign, ui, flags, consent, isAsked }, source)
    })
  }
}
