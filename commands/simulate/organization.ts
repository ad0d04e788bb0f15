import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import { parseAmount } from '../../src/cli/input/amount.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateOrganization extends SimulatorCommand<typeof SimulateOrganization> {
  static override summary = 'Create or change an organization'
  static override description =
    'Creates an organization with one running campaign, a test key and a live key; svc simulate world shows them. ' +
    'With an id, changes the given settings.'
  static override examples = [
    '<%= config.bin %> simulate organization --name "Second Home" --time-zone America/Los_Angeles',
    '<%= config.bin %> simulate organization 5888fcdc-26fd-403c-968b-ab1246f9b495 --rate-usd-per-minute 0.25 --no-recording',
  ]
  static override args = {
    organization: Args.string({ description: 'Id of the organization to change', ignoreStdin: true }),
  }
  static override flags = {
    name: Flags.string({ summary: 'Name of the organization (required for a new organization)' }),
    'time-zone': Flags.string({ summary: 'Time zone of its days and months', helpValue: '<America/New_York>' }),
    'requests-per-minute': Flags.integer({ summary: 'Limit of requests per minute for all its keys', min: 1 }),
    'rate-usd-per-minute': Flags.string({ summary: 'Price of a call minute in USD', helpValue: '<amount>' }),
    recording: Flags.boolean({ summary: 'Record calls', allowNo: true }),
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateOrganization>): Promise<void> {
    this.expectColumns(controlColumns.organization)
    const rate = flags['rate-usd-per-minute']
    const words = {
      time_zone: flags['time-zone'],
      requests_per_minute: flags['requests-per-minute'],
      rate_usd_per_minute: rate === undefined ? undefined : parseAmount(rate, '--rate-usd-per-minute'),
      recording: flags.recording,
    }
    const { organization: id } = args
    if (id !== undefined && [flags.name, ...Object.values(words)].every((value) => value === undefined))
      throw new UsageError('Nothing to change was named.', 'svc simulate organization --help shows what can change.')
    const control = await this.control(flags['control-token'])
    if (id !== undefined) {
      const request = { params: { id }, body: { name: flags.name, ...words } }
      const { body } = await control.call('updateOrganization', request)
      await this.printer().record(body, controlColumns.organization)
      return this.say(`The organization ${body.data.name} was changed.`)
    }
    const [name = ''] = await this.promptForMissing({ flag: '--name', label: 'Name', value: flags.name })
    const { body } = await control.call('createOrganization', { body: { name, ...words } })
    await this.printer().record(body, controlColumns.organization)
    this.say(
      `The organization ${body.data.name} was created, with a running campaign and two keys: svc simulate world shows them.`,
    )
  }
}
