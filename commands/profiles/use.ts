import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'

export default class ProfilesUse extends SvcCommand<typeof ProfilesUse> {
  static override summary = 'use a profile from now on'
  static override description = 'Commands without --profile and without SVC_PROFILE use this profile.'
  static override examples = [
    '<%= config.bin %> profiles use simulator',
    '<%= config.bin %> profiles use simulator-live',
  ]
  static override args = { name: Args.string({ description: 'name of the profile', ignoreStdin: true }) }

  protected async perform({ args }: Parsed<typeof ProfilesUse>): Promise<void> {
    const profiles = this.profiles()
    const choices = () => Promise.resolve(profiles.names.map((name) => ({ name, value: name })))
    const [name = ''] = await this.promptForMissing({ flag: '<name>', label: 'Profile', value: args.name, choices })
    profiles.use(name)
    this.note(`Using the profile ${name}.\n`)
  }
}
