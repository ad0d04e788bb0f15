import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { yesFlag } from '../../src/cli/base/flags.js'

export default class ProfilesRemove extends SvcCommand<typeof ProfilesRemove> {
  static override summary = 'Remove a profile'
  static override description = 'Deletes its address and key from this machine. The key itself stays valid.'
  static override examples = [
    '<%= config.bin %> profiles remove staging',
    '<%= config.bin %> profiles remove staging --yes',
  ]
  static override args = { name: Args.string({ description: 'Name of the profile (required)', ignoreStdin: true }) }
  static override flags = yesFlag

  protected async perform({ args, flags }: Parsed<typeof ProfilesRemove>): Promise<void> {
    const profiles = this.profiles()
    const choices = () => Promise.resolve(profiles.names.map((name) => ({ name, value: name })))
    const [name = ''] = await this.promptForMissing({ flag: '<name>', label: 'Profile', value: args.name, choices })
    profiles.get(name)
    await this.confirm(flags.yes, `Remove the profile ${name}?`)
    profiles.remove(name)
    this.note(`Removed the profile ${name}.\n`)
  }
}
