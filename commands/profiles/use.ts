import * as Args from '@oclif/core/args'
import { modeOf } from '../../src/config/settings.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'

export default class ProfilesUse extends SvcCommand<typeof ProfilesUse> {
  static override summary = 'Make a profile the current one'
  static override description = 'Commands use the current profile unless --profile or SVC_PROFILE names another.'
  static override examples = [
    '<%= config.bin %> profiles use simulator',
    '<%= config.bin %> profiles use simulator-live',
  ]
  static override args = { name: Args.string({ description: 'Name of the profile (required)', ignoreStdin: true }) }

  protected async perform({ args }: Parsed<typeof ProfilesUse>): Promise<void> {
    const profiles = this.profiles()
    const isLive = (name: string) => {
      const { key_id, secret } = profiles.get(name)
      return modeOf(...[key_id, secret].map((value) => (value ? { value, source: name } : undefined))) === 'live'
    }
    const choices = () =>
      Promise.resolve(profiles.names.map((name) => ({ name: isLive(name) ? `${name} (live)` : name, value: name })))
    const [name = ''] = await this.promptForMissing({ flag: '<name>', label: 'Profile', value: args.name, choices })
    profiles.use(name)
    this.note(`Using the profile ${name}.${isLive(name) ? ' It has a live key: commands act on live leads.' : ''}\n`)
  }
}
