import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { quoteForShell } from '../../src/cli/input/shell-word.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import { parseAmount } from '../../src/cli/input/amount.js'
import { parseCallingHours } from '../../src/cli/input/calling-hours.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { repeated } from '../../src/cli/base/flags.js'
import { campaignStatuses } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class SimulateCampaign extends SimulatorCommand<typeof SimulateCampaign> {
  static override summary = 'Create or change a campaign'
  static override description =
    'Creates a running campaign with default settings. With an id, changes the given settings. Give hours by days: ' +
    '--hours mon-fri=09:00-17:00 --hours sat=closed.'
  static override examples = [
    '<%= config.bin %> simulate campaign --name Autumn --lines 2 --hours mon-fri=09:00-12:00,13:00-17:00',
    '<%= config.bin %> simulate campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --no-consent-required --any-hour',
    '<%= config.bin %> simulate campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --status completed',
  ]
  static override args = {
    campaign: Args.string({ description: 'Campaign to change: its name or id', ignoreStdin: true }),
  }
  static override flags = {
    name: Flags.string({ summary: 'Name of the campaign (required for a new campaign)' }),
    organization: Flags.string({
      summary: 'Organization of a new campaign; defaults to the first one',
      helpValue: '<id>',
    }),
    status: Flags.option({ options: campaignStatuses, summary: 'Status of the campaign' })(),
    lines: Flags.integer({ summary: 'Number of simultaneous calls', min: 0 }),
    hours: Flags.string({
      summary: 'Calling hours (repeatable)',
      helpValue: '<days=from-until>',
      ...repeated,
    }),
    'any-hour': Flags.boolean({ summary: 'Call at any hour', allowNo: true }),
    'consent-required': Flags.boolean({ summary: 'Require consent on API leads', allowNo: true }),
    'call-now-default': Flags.boolean({
      summary: 'Treat new leads as call-now unless they say otherwise',
      allowNo: true,
    }),
    'late-after-minutes': Flags.integer({ summary: 'Minutes after which a call-now lead is late', min: 1 }),
    'duplicate-window-days': Flags.integer({ summary: 'Days during which the same lead is a duplicate', min: 0 }),
    'max-attempts': Flags.integer({ summary: 'Maximum number of calls to a lead', min: 1 }),
    'retire-after-failures': Flags.integer({
      summary: 'Number of failed calls in a row that retires a number',
      min: 1,
    }),
    'spend-cap-usd': Flags.string({ summary: 'Spending limit in USD, or none', helpValue: '<amount>' }),
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateCampaign>): Promise<void> {
    this.expectColumns(resourceColumns.campaign)
    const words = wordsOf(flags)
    const { campaign: given } = args
    if (given !== undefined && flags.organization !== undefined)
      throw new UsageError('--organization applies to a new campaign only.')
    const control = await this.control(flags['control-token'])
    if (given !== undefined) {
      const id = await this.campaignIn(control, given, 'Campaign')
      const { body } = await control.call('updateCampaign', { params: { id }, body: { name: flags.name, ...words } })
      await this.printer().record(body, resourceColumns.campaign)
      return this.say(`The campaign ${body.data.name} was changed.`)
    }
    const [name = ''] = await this.promptForMissing({ flag: '--name', label: 'Name', value: flags.name })
    const { body } = await control.call('createCampaign', {
      body: { organization_id: flags.organization, name, ...words },
    })
    await this.printer().record(body, resourceColumns.campaign)
    const add = `svc leads add --campaign ${quoteForShell(body.data.name)}`
    this.say(
      `The campaign ${body.data.name} was created and is ${body.data.status.replaceAll('_', ' ')}.\nAdd a lead: ${add}`,
    )
  }
}

function wordsOf(flags: Parsed<typeof SimulateCampaign>['flags']) {
  return {
    status: flags.status,
    lines: flags.lines,
    calling_hours: flags.hours && parseCallingHours(flags.hours, '--hours'),
    any_hour: flags['any-hour'],
    consent_required: flags['consent-required'],
    call_now_default: flags['call-now-default'],
    late_after_minutes: flags['late-after-minutes'],
    duplicate_window_days: flags['duplicate-window-days'],
    max_attempts: flags['max-attempts'],
    retire_after_failures: flags['retire-after-failures'],
    spend_cap_usd: capOf(flags['spend-cap-usd']),
  }
}

function capOf(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  return text === 'none' ? null : parseAmount(text, '--spend-cap-usd', ', or none')
}
