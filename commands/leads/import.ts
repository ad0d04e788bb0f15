import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import { openCampaignChoices } from '../../src/cli/input/choices.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { consentFlags, consentOf } from '../../src/cli/input/consent.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { ImportCommand, importFlags } from '../../src/cli/import/import-command.js'
import type { Cargo } from '../../src/cli/import/cargo.js'
import { listIgnored, matchColumns } from '../../src/cli/import/columns.js'
import { leadCargo } from '../../src/cli/import/lead-cargo.js'
import { leadFields, partsGiven, type LeadWords } from '../../src/cli/import/lead-fields.js'
import { previewOf } from '../../src/cli/import/preview.js'
import type { Table } from '../../src/cli/import/table.js'
import { isInteractive } from '../../src/config/environment.js'
import { wantsColor } from '../../src/output/style.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class LeadsImport extends ImportCommand<typeof LeadsImport> {
  static override summary = 'Add the leads of a file to a campaign'
  static override description =
    'Reads CSV (with commas, semicolons or tabs) or JSON lines and adds one lead for each row. Matches columns to fields by name; ' +
    'use --map for the others. Sends leads as fast as the rate limits allow. Writes refused rows to a file that you can correct ' +
    'and import again, and exits 6. If the import is interrupted, run the same command with --resume: no lead is added twice.'
  static override examples = [
    '<%= config.bin %> leads import people.csv --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --dry-run',
    '<%= config.bin %> leads import people.csv --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --map "First Name=name" --map "City=fields.city"',
    '<%= config.bin %> leads import people.csv --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --consent-source web_form --consent-at 2026-10-01T09:30:00Z --consent-url https://example.com/form --yes',
    'cat people.jsonl | <%= config.bin %> leads import - --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --failed-file refused.csv --json',
  ]
  static override args = {
    file: Args.string({ description: 'CSV or JSON lines file, or - for standard input (required)', ignoreStdin: true }),
  }
  static override flags = {
    campaign: Flags.string({ summary: 'Campaign to add the leads to (required)', helpValue: '<id>' }),
    ...importFlags,
    'fields-from-rest': Flags.boolean({ summary: 'Send unmatched columns as custom fields' }),
    ...consentFlags,
    rate: Flags.integer({ summary: 'New leads per minute, if the key has a known limit', min: 1 }),
    'dry-run': Flags.boolean({ summary: 'Run every check and save nothing', exclusive: ['resume'] }),
    ...yesFlag,
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsImport>): Promise<void> {
    const client = await this.client()
    const [file = '', campaign = ''] = await this.promptForMissing(
      { flag: '<file>', label: 'File', value: args.file },
      {
        flag: '--campaign',
        label: 'Campaign',
        value: flags.campaign,
        choices: () => openCampaignChoices(client),
      },
    )
    const consent = partsGiven(consentOf(flags))
    await this.withTable(file, undefined, async (table, digest) => {
      const matching = matchColumns(table.columns, {
        file: this.nameOf(file),
        known: leadFields,
        required: 'phone',
        maps: flags.map ?? [],
        fieldsFromRest: flags['fields-from-rest'],
      })
      const { fields, ignored } = matching
      if (ignored.length > 0) this.say(`${listIgnored(matching)} --fields-from-rest sends them as custom fields.`)
      const cargo = leadCargo({ client, campaign, fields, consent, dryRun: flags['dry-run'] })
      const identity = [digest, campaign, fields, consent]
      const isSettled = flags.yes || flags.resume || flags['dry-run'] || table.total === 0
      if (!isSettled && isInteractive(this.around, flags['no-input']))
        await this.#ask(table, cargo, await campaignName(client, campaign))
      await this.carry({
        file,
        flags,
        table,
        cargo,
        identity,
        isRehearsal: flags['dry-run'],
        isRepeatable: true,
        rate: flags.rate,
        kind: resourceColumns.leadImport,
      })
    })
  }

  async #ask(table: Table, cargo: Cargo<LeadWords>, campaign: string): Promise<void> {
    const { stderr, env } = this.around
    const atTerminal = Boolean(stderr.isTTY)
    const look = { width: stderr.columns || 100, colour: wantsColor(atTerminal, env, !this.flagsGiven['no-color']) }
    this.note(await previewOf(table.rows(), (row) => cargo.make(row), look))
    await this.confirm(false, `Add ${table.total} leads to the campaign ${campaign}?`)
  }
}

/**
 * The campaign's name and id, so that the user can check the target before people are called. Only the id if the key
 * may not read the campaign.
 */
async function campaignName(client: Client<Contract>, id: string): Promise<string> {
  try {
    const { body } = await client.call('getCampaign', { params: { id } })
    return `${body.data.name} (${id})`
  } catch {
    return id
  }
}
