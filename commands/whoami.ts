import { SvcCommand } from '../src/cli/base/command.js'
import { NoKeyError } from '../src/cli/errors/exit-codes.js'
import { onePage } from '../src/cli/base/pages.js'
import { resultColumns } from '../src/output/columns/results.js'

export default class Whoami extends SvcCommand<typeof Whoami> {
  static override summary = 'Show the current service and key'
  static override description =
    'Includes the mode, the address and the key, and the source of each setting. Sends no request. Exits 4 without a key.'
  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --profile simulator-live --json']

  protected async perform(): Promise<void> {
    this.showLiveMode()
    await this.#show()
    const { secret, withheld } = this.settings
    if (!secret) throw new NoKeyError(withheld)
  }

  async #show(): Promise<void> {
    const { profile, baseUrl, keyId, secret, mode } = this.settings
    const rows = {
      mode: { value: mode ?? null, source: keyId?.source ?? secret?.source ?? null },
      base_url: { value: baseUrl.value, source: baseUrl.source },
      profile: { value: profile?.value ?? null, source: profile?.source ?? null },
      key_id: { value: keyId?.value ?? null, source: keyId?.source ?? null },
      secret: { value: secret ? maskSecret(secret.value) : null, source: secret?.source ?? null },
    }
    const printer = this.printer()
    if (printer.style.format === 'json' || printer.style.format === 'ndjson')
      return printer.record({ data: rows }, resultColumns.setting)
    if (this.isForPerson && printer.style.width < tableWidth) {
      const shown = Object.entries(rows).filter(([, { value }]) => value !== null)
      const fields = shown.map(([name, { value, source }]) => [
        name,
        `${value}${source === null ? '' : ` (${source})`}`,
      ])
      return printer.record({ data: Object.fromEntries(fields) as object }, resultColumns.setting)
    }
    const data = Object.entries(rows).map(([setting, { value, source }]) => ({ setting, value, source }))
    await printer.list(onePage({ data }), resultColumns.setting)
  }
}

/** On a narrower terminal the address and its source do not fit in one row. */
const tableWidth = 80

/** Shows enough to distinguish one secret from another. */
const maskSecret = (secret: string): string => `${/^c[ks]_(live|test)_/.exec(secret)?.[0] ?? ''}****`
