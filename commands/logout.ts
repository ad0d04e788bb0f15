import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { UsageError } from '../src/cli/errors/usage-error.js'

export default class Logout extends SvcCommand<typeof Logout> {
  static override summary = 'Remove the key of a profile'
  static override description =
    'Uses the current profile unless --profile names another. The profile keeps its address. The key itself stays valid.'
  static override examples = ['<%= config.bin %> logout', '<%= config.bin %> logout --profile work']

  protected async perform({ flags }: Parsed<typeof Logout>): Promise<void> {
    const profiles = this.profiles()
    const name = flags.profile ?? (this.around.env['SVC_PROFILE'] || profiles.current)
    if (!name) throw new UsageError('Not logged in: no profile is in use.', 'svc profiles list shows the profiles.')
    profiles.get(name)
    profiles.change(name, (before) => before && { ...before, key_id: undefined, secret: undefined })
    this.note(`The profile ${name} no longer has a key.\n`)
    if (this.around.env['SVC_SECRET']) this.note('SVC_SECRET is set and is still used.\n')
  }
}
