import * as Flags from '@oclif/core/flags'
import { countOf } from '../../src/cli/results/words.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { nameToSave } from '../../src/cli/base/replace-file.js'
import { checkSaveable, saveDownload } from '../../src/cli/base/save.js'
import { freeName } from '../../src/cli/input/file-names.js'
import { exportNeeds } from '../../src/cli/input/questions/export-questions.js'
import { exportTypes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

const samples = 'The rows are samples: a test key exports no data of yours.\n'

export default class ExportsCreate extends SvcCommand<typeof ExportsCreate> {
  static override summary = 'Create a CSV export of leads, calls or analytics'
  static override description =
    'Prints a download link that works for a day. With --download, saves the file too, so that spreadsheets read it as UTF-8. ' +
    'Dates are whole days in the time zone of the organization. Without --type, asks at a terminal what to export and saves it. ' +
    'A test key gets a file of sample rows.'
  static override examples = [
    '<%= config.bin %> exports create --type leads --download leads.csv',
    '<%= config.bin %> exports create --type call_history --start-date 2026-10-01 --end-date 2026-10-31 --download calls.csv',
    '<%= config.bin %> exports create --type analytics --campaign "Web leads" --json',
  ]
  static override flags = {
    type: Flags.option({ options: exportTypes, summary: 'Content of the export (required)' })(),
    campaign: Flags.string({ summary: 'Filter by campaign', helpValue: '<name or id>' }),
    'start-date': Flags.string({
      summary: 'First day to include, such as 2026-10-01, monday or 7d',
      helpValue: '<day>',
    }),
    'end-date': Flags.string({ summary: 'Last day to include', helpValue: '<day>' }),
    download: Flags.string({
      summary:
        'File to save the export to, or - for standard output. Asks at a terminal before it replaces a file; a script replaces it',
      helpValue: '<file.csv>',
    }),
    ...yesFlag,
    ...writeFlags,
  }

  protected async perform({ flags }: Parsed<typeof ExportsCreate>): Promise<void> {
    this.expectColumns(resourceColumns.newExport)
    checkSaveable(flags.download)
    const client = await this.client()
    // A person learns it before the questions.
    const isTold = this.isInteractive && this.settings.mode === 'test'
    if (isTold) this.note(samples)
    const answers = await this.promptForMissing(...exportNeeds(client, flags))
    const [type, campaign, firstDay, lastDay, file] = answers.map((answer) => answer || undefined)
    const download = await nameToSave(this, file, flags.yes)
    const filters = {
      campaignId: await this.campaignId(client, campaign),
      startDate: await this.#day(firstDay, '--start-date'),
      endDate: await this.#day(lastDay, '--end-date'),
    }
    const body = {
      exportType: type as (typeof exportTypes)[number],
      filters: Object.values(filters).some((value) => value !== undefined) ? filters : undefined,
    }
    const reply = await client.call('createExport', { body }, { idempotencyKey: flags['idempotency-key'] })
    const { export: made, downloadUrl, livemode } = reply.body.data
    // With `--download -`, stdout carries the file itself.
    if (download !== '-') {
      const printer = this.printer()
      if (printer.style.format === 'json') await printer.json(reply.body)
      else {
        // A person who gets the file needs no link to it; a script may.
        const link = this.isForPerson && download !== undefined ? {} : { downloadUrl }
        await printer.record({ data: { ...made, ...link } }, resourceColumns.newExport)
      }
    }
    if (!livemode) {
      if (!isTold) this.note(samples)
      const list = made.exportType === 'leads' ? 'leads' : made.exportType === 'call_history' ? 'calls' : undefined
      if (list !== undefined)
        this.note(`To save your ${list} instead:\n  svc ${list} list --all --output csv > ${freeName(`${list}.csv`)}\n`)
    }
    if (download === undefined) {
      const save = `svc exports create --type ${made.exportType} --download ${made.exportType}.csv`
      return this.say(`The export has ${countOf(made.rowCount, 'row')}. Its link works for a day.\nSave it: ${save}`)
    }
    // Spreadsheets read a CSV file as UTF-8 only with this mark.
    await saveDownload(downloadUrl, download, this.around, { withinMs: this.answerWithinMs, begin: '\ufeff' })
    this.note(`Saved ${download} (${countOf(made.rowCount, 'row')}).\n`)
  }
  /** Says which day a word such as `yesterday` meant. */
  async #day(text: string | undefined, flag: string): Promise<string | undefined> {
    if (text === undefined) return undefined
    const { parseDay } = await import('../../src/cli/input/date-time.js')
    const day = await parseDay(text, async () => (await this.simulatorClock()) ?? Date.now())
    if (day !== text) this.note(`${flag} ${text} is ${day}.\n`)
    return day
  }
}
