import { ApiError } from '../src/client/errors.js'
import { isInteractive } from '../src/config/environment.js'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { addressFor, askAddress, credentialFlags, readCredentials } from '../src/cli/input/credentials.js'
import type { MissingValue } from '../src/cli/input/questions/prompt-for-missing.js'

const usualName = 'default'

export default class Login extends SvcCommand<typeof Login> {
  static override summary = 'Check a key and save it as a profile'
  static override description =
    'Asks for the address of the service, unless --base-url, SVC_BASE_URL or the profile gives it, and for the secret without echo, ' +
    'or reads the secret from standard input. Tests the key against the service, then saves it as the ' +
    'profile given by --profile, or default. The profile becomes the current one.'
  static override examples = [
    '<%= config.bin %> login --base-url https://api.example.com/api/v1/external --key-id ck_live_...',
    'pass show calling | <%= config.bin %> login --profile work --secret -',
  ]
  static override flags = credentialFlags

  protected override get nextSteps() {
    return { authentication_failed: 'Copy the secret, and the id for --key-id, again. Nothing was saved.' }
  }

  /** The address that the key is sent to, which is not the one in use. */
  #addressSource = 'default'

  protected override get sources() {
    return { addressSource: this.#addressSource }
  }

  protected async perform({ flags }: Parsed<typeof Login>): Promise<void> {
    const { around } = this
    const profiles = this.profiles()
    const name = flags.profile ?? (around.env['SVC_PROFILE'] || usualName)
    const handover = { name, flags, around, profiles, need: (need: MissingValue) => this.promptForMissing(need) }
    const isAsked = isInteractive(around, flags['no-input'])
    const known = addressFor(handover)
    const asksAddress = isAsked && known.source === 'default'
    if (asksAddress) this.note(`The address of a simulator is ${known.value}.\n`)
    const baseUrl = asksAddress ? await askAddress(handover.need) : known
    this.#addressSource = baseUrl.source
    if (isAsked) this.note(`The key will be sent to ${baseUrl.value} (${baseUrl.source}).\n`)
    const settings = await readCredentials({ ...handover, baseUrl })
    const { createClient } = await import('../src/client/client.js')
    const client = createClient(this.transportOptions(settings))
    await client.call('listCampaigns', { query: { limit: 1 } }).catch((error: unknown) => {
      // The service recognizes the key; it only lacks this permission.
      if (!(error instanceof ApiError && error.refusal.code === 'permission_denied')) throw error
    })
    const { keyId, secret, mode } = settings
    const key = { base_url: settings.baseUrl.value, key_id: keyId?.value, secret: secret?.value }
    profiles.change(name, (before) => ({ ...before, ...key }))
    profiles.use(name)
    this.note(`Logged in at ${settings.baseUrl.value} with a ${mode} key. The profile ${name} is in use.\n`)
    if (around.env['SVC_SECRET']) this.note('SVC_SECRET is set and goes before any profile: unset it.\n')
  }
}
