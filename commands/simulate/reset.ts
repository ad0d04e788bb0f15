import * as Flags from '@oclif/core/flags'
import { describeReset } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { followKeys, profileNameFor, saveKeys } from '../../src/cli/simulator/profiles.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class SimulateReset extends SimulatorCommand<typeof SimulateReset> {
  static override summary = 'Reset the simulator to its starting world'
  static override description =
    'Deletes leads, calls, events and webhook endpoints. Keeps the original seed and start time unless you give others. A ' +
    'different --seed gives new ids and keys, and the profiles simulator and simulator-live are updated.'
  static override examples = [
    '<%= config.bin %> simulate reset',
    '<%= config.bin %> simulate reset --yes --seed 7 --now 2026-10-01T15:00:00Z',
  ]
  static override flags = {
    seed: Flags.integer({ summary: 'Seed for ids, keys and outcomes' }),
    now: Flags.string({ summary: 'Time to set the clock to', helpValue: '<date-time>' }),
    ...yesFlag,
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateReset>): Promise<void> {
    this.expectColumns(resourceColumns.clock)
    await this.confirm(flags.yes, `Reset the simulator at ${this.settings.baseUrl.value}, and lose all that is in it?`)
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('reset', { body: { seed: flags.seed, now: flags.now } })
    const [organization] = (await control.call('getWorld', {})).body.data.organizations
    const profiles = this.profiles()
    const running = { baseUrl: this.settings.baseUrl.value, world: { keys: organization?.keys ?? [] } }
    if (flags.seed === undefined) followKeys(profiles, running)
    else saveKeys(profiles, running, await profileNameFor(profiles, running.baseUrl))
    this.shows(body.data)
    await this.printer().record(body, resourceColumns.clock)
    this.say(describeReset(body.data))
  }
}
