import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { quoteForShell } from '../../src/cli/input/shell-word.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { listFlag, repeated, yesFlag } from '../../src/cli/base/flags.js'
import type { Permission } from '../../src/contract/permissions.js'
import { keyStatuses } from '../../src/contract/enums.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateKey extends SimulatorCommand<typeof SimulateKey> {
  static override summary = 'Create or change an API key'
  static override description =
    'Creates a key and shows its secret; by default the key has every permission on every campaign. With an id, ' +
    'changes the given settings.'
  static override examples = [
    '<%= config.bin %> simulate key --mode live --permission leads:read,calls:read --save-as reader',
    '<%= config.bin %> simulate key ck_test_3f0c9c58 --status revoked',
    '<%= config.bin %> simulate key ck_test_3f0c9c58 --leads-per-minute 10',
  ]
  static override args = { key: Args.string({ description: 'Id of the key to change', ignoreStdin: true }) }
  static override flags = {
    name: Flags.string({ summary: 'Name of a new key' }),
    mode: Flags.option({ options: ['live', 'test'] as const, summary: 'Mode of a new key; live by default' })(),
    organization: Flags.string({ summary: 'Organization of a new key; defaults to the first one', helpValue: '<id>' }),
    permission: Flags.string({
      summary: 'Permission to give; repeatable, or a comma-separated list',
      helpValue: '<name>',
      ...repeated,
    }),
    campaign: Flags.string({
      summary: 'Campaign to limit the key to (repeatable)',
      helpValue: '<name or id>',
      ...repeated,
    }),
    'every-campaign': Flags.boolean({ summary: 'Allow every campaign', exclusive: ['campaign'] }),
    status: Flags.option({ options: keyStatuses, summary: 'Status of an existing key' })(),
    'expires-at': Flags.string({ summary: "Expiry time, by the simulator's clock", helpValue: '<date-time>' }),
    'concurrent-requests': Flags.integer({ summary: 'Limit of simultaneous requests', min: 1 }),
    'requests-per-minute': Flags.integer({ summary: 'Limit of requests per minute', min: 1 }),
    burst: Flags.integer({ summary: 'Limit of requests at once after a pause', min: 1 }),
    'leads-per-minute': Flags.integer({ summary: 'Limit of new leads per minute', min: 1 }),
    'save-as': Flags.string({ summary: 'Profile to save a new key as', helpValue: '<name>' }),
    ...yesFlag,
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateKey>): Promise<void> {
    this.expectColumns(controlColumns.key)
    const { key: key_id } = args
    const ofNew = (['name', 'mode', 'organization', 'save-as'] as const).filter((flag) => flags[flag] !== undefined)
    if (key_id !== undefined && ofNew.length > 0) throw new UsageError(`--${ofNew.join(', --')}: for a new key only.`)
    if (key_id === undefined && flags.status)
      throw new UsageError('--status is of a key there is.', 'svc simulate key <key> --status ...')
    if (flags['save-as'] !== undefined) await this.#confirmReplacing(flags['save-as'], flags.yes)
    const control = await this.control(flags['control-token'])
    const campaigns = flags.campaign && (await Promise.all(flags.campaign.map((one) => this.campaignIn(control, one))))
    const words = wordsOf({ ...flags, campaign: campaigns })
    if (key_id !== undefined) {
      const { body } = await control.call('updateKey', { params: { key_id }, body: { status: flags.status, ...words } })
      await this.printer().record(body, controlColumns.key)
      return this.say(`The key ${key_id} was changed: it is ${body.data.status}.`)
    }
    const { name, mode, organization: organization_id } = flags
    const { body } = await control.call('createKey', { body: { name, mode, organization_id, ...words } })
    const profile = flags['save-as']
    if (profile !== undefined) {
      const { secret, key_id: made } = body.data
      this.profiles().put(profile, { base_url: this.apiAddress, key_id: made, secret })
      this.note(`Saved as the profile ${profile}.\n`)
    }
    await this.printer().record(body, controlColumns.key)
    const use = profile === undefined ? '' : `\nUse it: svc leads list --profile ${quoteForShell(profile)}`
    this.say(`A ${body.data.mode} key was created.${use}`)
  }

  async #confirmReplacing(name: string, yes: boolean): Promise<void> {
    const profiles = this.profiles()
    if (!profiles.has(name) || profiles.get(name).secret === undefined) return
    const address = profiles.get(name).base_url ?? 'the usual address'
    await this.confirm(yes, `Replace the key of the profile ${name} (${address})?`)
  }
}

function wordsOf(flags: Parsed<typeof SimulateKey>['flags']) {
  const limits = {
    concurrent_requests: flags['concurrent-requests'],
    requests_per_minute: flags['requests-per-minute'],
    burst: flags.burst,
    leads_per_minute: flags['leads-per-minute'],
  }
  return {
    // Any texts: the simulator checks the permissions.
    permissions: listFlag(flags.permission) as Permission[] | undefined,
    campaign_ids: flags['every-campaign'] ? null : flags.campaign,
    expires_at: flags['expires-at'],
    limits: Object.values(limits).some((limit) => limit !== undefined) ? limits : undefined,
  }
}
