import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { countOf } from '../../../src/cli/results/words.js'
import { controlFlags, SimulatorCommand, tenantFlags } from '../../../src/cli/simulator/simulator-command.js'
import { controlCampaignChoices } from '../../../src/cli/simulator/choices.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { leadFlags, leadOf } from '../../../src/cli/input/lead-flags.js'
import { readLeadFile } from '../../../src/cli/input/lead-file.js'
import { readInput } from '../../../src/cli/input/stdin.js'
import { UsageError } from '../../../src/cli/errors/usage-error.js'
import { onePage } from '../../../src/cli/base/pages.js'
import { controlColumns } from '../../../src/output/columns/control.js'

export default class SimulateLeadsLoad extends SimulatorCommand<typeof SimulateLeadsLoad> {
  static override summary = 'Load leads in the app, bypassing the API'
  static override description =
    'Loads one lead from the flags, or many from a JSON file: an array, or one lead per line. Loaded leads need no consent and ' +
    'count toward no API limit. If one lead is refused, none is loaded. Use svc leads add to go through the API.'
  static override examples = [
    '<%= config.bin %> simulate leads load --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --phone +12125557812 --name Ann --source fair',
    '<%= config.bin %> simulate leads load leads.ndjson --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --mode live',
    'echo \'[{"phone":"+12125557812"}]\' | <%= config.bin %> simulate leads load - --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11',
  ]
  static override args = {
    file: Args.string({ description: 'JSON file, or - for standard input', ignoreStdin: true }),
  }
  static override flags = {
    campaign: Flags.string({ summary: 'Campaign to load the leads into (required)', helpValue: '<name or id>' }),
    phone: Flags.string({
      summary: 'Phone number of one lead, in any common form (required without a file)',
      helpValue: '<phone>',
    }),
    ...leadFlags,
    source: Flags.string({ summary: 'Source of the lead', helpValue: '<word>' }),
    mode: tenantFlags.mode,
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateLeadsLoad>): Promise<void> {
    this.expectColumns(controlColumns.loadedLead)
    const one = wordsOf(flags)
    const ofOne = Object.values(one).some((value) => value !== undefined)
    if (args.file !== undefined && ofOne) throw new UsageError('Give a file or the words of one lead, not both.')
    const control = await this.control(flags['control-token'])
    const choices = () => controlCampaignChoices(control)
    const verifyGiven = (text: string) => this.campaignIn(control, text)
    const campaign = { flag: '--campaign', label: 'Campaign', value: flags.campaign, choices, verifyGiven }
    const phone = { flag: '--phone', label: 'Phone', value: flags.phone }
    const [chosen = '', number = ''] = await this.promptForMissing(
      campaign,
      ...(args.file === undefined ? [phone] : []),
    )
    const campaign_id = await this.campaignIn(control, chosen)
    const leads =
      args.file === undefined
        ? [{ ...one, phone: number }]
        : readLeadFile(args.file, await readInput(args.file, this.around.stdin))
    const { mode } = this.tenantScope(flags)
    const { body } = await control.call('loadLeads', { body: { campaign_id, mode, leads } })
    const printer = this.printer()
    if (printer.style.format === 'json') return printer.json(body)
    await this.printList(onePage({ data: body.data.ids.map((id) => ({ id })) }), controlColumns.loadedLead)
    this.say(`${countOf(body.data.ids.length, 'lead')} loaded.`)
  }
}

/** The lead that the flags describe. */
const wordsOf = (flags: Parsed<typeof SimulateLeadsLoad>['flags']) => ({
  ...leadOf(flags),
  phone: flags.phone,
  lead_source: flags.source,
})
