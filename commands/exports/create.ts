import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags } from '../../src/cli/base/flags.js'
import { checkSaveable, saveDownload } from '../../src/cli/base/save.js'
import { exportTypes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class ExportsCreate extends SvcCommand<typeof ExportsCreate> {
  static override summary = 'make a CSV file of leads, calls or analytics'
  static override description =
    'Makes an export and prints where its file is for a day; with --download it saves the file too. Days are whole ones, in the time zone of the organization. ' +
    'A test key gets a file with made-up rows.'
  static override examples = [
    '<%= config.bin %> exports create --type leads --download leads.csv',
    '<%= config.bin %> exports create --type call_history --start-date 2026-10-01 --end-date 2026-10-31 --download calls.csv',
    '<%= config.bin %> exports create --type analytics --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --json',
  ]
  static override flags = {
    type: Flags.option({ options: exportTypes, summary: 'what is in it' })(),
    campaign: Flags.string({ summary: 'of this campaign alone', helpValue: '<id>' }),
    'start-date': Flags.string({ summary: 'from this day on', helpValue: '<yyyy-mm-dd>' }),
    'end-date': Flags.string({ summary: 'until this day, and with it', helpValue: '<yyyy-mm-dd>' }),
    download: Flags.string({ summary: 'save it: a file, or - for standard output', helpValue: '<file.csv>' }),
    ...writeFlags,
  }

  protected async perform({ flags }: Parsed<typeof ExportsCreate>): Promise<void> {
    this.expectColumns(resourceColumns.newExport)
    checkSaveable(flags.download)
    const client = await this.client()
    const choices = () => Promise.resolve(exportTypes.map((type) => ({ name: type, value: type })))
    const [type] = await this.promptForMissing({ flag: '--type', label: 'What', value: flags.type, choices })
    const filters = { campaignId: flags.campaign, startDate: flags['start-date'], endDate: flags['end-date'] }
    const body = {
      exportType: type as (typeof exportTypes)[number],
      filters: Object.values(filters).some((value) => value !== undefined) ? filters : undefined,
    }
    const reply = await client.call('createExport', { body }, { idempotencyKey: flags['idempotency-key'] })
    const { export: made, downloadUrl } = reply.body.data
    // The file itself is the result then.
    if (flags.download !== '-') {
      const printer = this.printer()
      if (printer.style.format === 'json') await printer.json(reply.body)
      else await printer.record({ data: { ...made, downloadUrl } }, resourceColumns.newExport)
    }
    if (flags.download === undefined) return
    await saveDownload(downloadUrl, flags.download, this.around, this.answerWithinMs)
    this.note(`Saved ${flags.download} (${made.rowCount} ${made.rowCount === 1 ? 'row' : 'rows'}).\n`)
  }
}
