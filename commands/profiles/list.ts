import { SvcCommand } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { modeOf } from '../../src/config/settings.js'
import { resultColumns } from '../../src/output/columns/results.js'

export default class ProfilesList extends SvcCommand<typeof ProfilesList> {
  static override summary = 'List profiles'
  static override description =
    'A profile is a named address and key. svc simulate creates two: simulator and simulator-live.'
  static override examples = ['<%= config.bin %> profiles list', '<%= config.bin %> profiles list --json']

  protected async perform(): Promise<void> {
    const profiles = this.profiles()
    const data = profiles.names.map((name) => {
      const { base_url = null, key_id = null, secret } = profiles.get(name)
      const part = (value: string | null | undefined) => (value ? { value, source: '' } : undefined)
      return {
        name,
        current: profiles.current === name,
        base_url,
        key_id,
        mode: modeOf(part(key_id), part(secret)) ?? null,
      }
    })
    await this.printList(onePage({ data }), resultColumns.profile)
  }
}
