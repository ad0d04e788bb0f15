import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { credentialFlags, readCredentials } from '../../src/cli/input/credentials.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'

export default class ProfilesAdd extends SvcCommand<typeof ProfilesAdd> {
  static override summary = 'Add a profile'
  static override description =
    'Saves an address and a key under a name. Sends no request; use svc login to test the key first.'
  static override examples = [
    '<%= config.bin %> profiles add staging --base-url https://staging.example.com/api/v1/external --key-id ck_test_...',
    'pass show calling | <%= config.bin %> profiles add work --secret - --use',
  ]
  static override args = { name: Args.string({ description: 'Name of the profile (required)', ignoreStdin: true }) }
  static override flags = { ...credentialFlags, use: Flags.boolean({ summary: 'Make it the current profile' }) }

  protected async perform({ args, flags }: Parsed<typeof ProfilesAdd>): Promise<void> {
    const profiles = this.profiles()
    const [name = ''] = await this.promptForMissing({ flag: '<name>', label: 'Profile', value: args.name })
    const refuseKnown = (known: boolean) => {
      if (!known) return
      throw new UsageError(
        `There is a profile ${name} already.`,
        `svc login --profile ${name} gives it another key; svc profiles remove ${name} removes it.`,
      )
    }
    refuseKnown(profiles.has(name))
    const settings = await readCredentials({
      name,
      flags,
      around: this.around,
      profiles,
      need: (need) => this.promptForMissing(need),
    })
    profiles.change(name, (before) => {
      refuseKnown(before !== undefined)
      return {
        base_url: settings.baseUrl.value,
        key_id: settings.keyId?.value,
        secret: settings.secret?.value,
      }
    })
    if (flags.use) profiles.use(name)
    this.note(`Added the profile ${name}${flags.use ? ', which is in use now' : ''}.\n`)
  }
}
