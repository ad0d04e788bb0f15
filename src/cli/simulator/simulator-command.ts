/** Base class of commands that use a simulator's control plane. */
import * as Flags from '@oclif/core/flags'
import type { Interfaces } from '@oclif/core'
import { answerWithinMs } from '../../client/answer-limits.js'
import { ApiError, NotTheApiError } from '../../client/errors.js'
import type { Client } from '../../client/client.js'
import type { Control } from '../../contract/control.js'
import { apiPath } from '../../config/address.js'
import type { Setting } from '../../config/settings.js'
import { simulatorRoot } from '../../url.js'
import { SvcCommand } from '../base/command.js'
import { UsageError } from '../errors/usage-error.js'
import { leadChoices } from '../input/questions/choices.js'
import type { MissingValue } from '../input/questions/prompt-for-missing.js'
import { ambiguous, isId, matchByName } from '../lookup/matches.js'
import { listCampaigns } from './choices.js'
import { checkTokenAddress, controlAddress } from './control-address.js'

type Words = { flags: Interfaces.FlagInput; args: Interfaces.ArgInput }

export const controlFlags = {
  'control-token': Flags.string({
    summary: 'Control token of a simulator that was started with --host',
    helpValue: '<token>',
    env: 'SVC_CONTROL_TOKEN',
  }),
}

/** Flags that select the mode and organization whose data a command uses. */
export const tenantFlags = {
  mode: Flags.option({
    options: ['live', 'test'] as const,
    summary: 'Live or test data; defaults to the mode of the current key',
  })(),
  organization: Flags.string({ summary: 'Organization; defaults to the first one', helpValue: '<id>' }),
}

interface Whose {
  mode?: 'live' | 'test' | undefined
  organization?: string | undefined
}

export abstract class SimulatorCommand<C extends Words = Words> extends SvcCommand<C> {
  #clock: number | undefined
  #client: Client<Control> | undefined

  /** Current simulated time, if known. Relative times in tables use it. */
  protected override referenceTime(): number {
    return this.#clock ?? super.referenceTime()
  }

  /** Address of the control plane. */
  get controlAddress(): Setting {
    return controlAddress(this.settings, this.around.env)
  }

  /** Base address of the simulator's API. */
  get apiAddress(): string {
    const { value } = this.settings.baseUrl
    const root = this.controlAddress.value
    return simulatorRoot(new URL(value)) === root ? value : root + apiPath
  }

  /** Client of the control plane. The token is sent only to a simulator, at an address that it was given for. */
  async control(token?: string): Promise<Client<Control>> {
    const [{ Client }, { Transport }, { control }] = await Promise.all([
      import('../../client/client.js'),
      import('../../client/transport.js'),
      import('../../contract/control.js'),
    ])
    const { key: _key, ...options } = this.transportOptions()
    const address = this.controlAddress
    const shared = {
      ...options,
      baseUrl: address.value,
      // A snapshot of a large world takes long before the answer begins.
      timeoutMs: options.totalMs ?? answerWithinMs,
      idempotent: false,
    }
    this.#client = new Client<Control>(control, new Transport(shared))
    if (token !== undefined) {
      checkTokenAddress(address, this.settings.profile)
      await this.#checkIsSimulator(this.#client)
    }
    const key = token === undefined ? undefined : { secret: token }
    const client = new Client<Control>(control, new Transport({ ...shared, key }))
    this.#client = client
    if (this.printer().style.format === 'table') this.shows((await client.call('getClock', {})).body.data)
    return client
  }

  /** Throws if the address, asked without a token, does not answer like a simulator. */
  async #checkIsSimulator(unproven: Client<Control>): Promise<void> {
    await unproven.call('getHealth', {}).catch((error: unknown) => {
      if (!(error instanceof ApiError && /control token/.test(error.message))) throw error
    })
  }

  /** The id of a campaign given by id or name, in any organization. */
  protected async campaignIn(control: Client<Control>, text: string, flag = '--campaign'): Promise<string> {
    if (isId(text)) return text
    const found = matchByName(await listCampaigns(control), text, this.isInteractive)
    const typed = `${flag} ${JSON.stringify(text)}`
    if (found.length > 1)
      throw ambiguous(
        typed,
        'campaigns',
        found.map(({ id, name, organization }) => `${id}  ${name}, ${organization}`),
      )
    const [campaign] = found
    if (!campaign) throw new UsageError(`${typed}: no such campaign.`, 'svc simulate world shows them.')
    return campaign.id
  }

  /** Asks for a lead from the list of recent ones, as far as the key of this run can see them. */
  protected leadNeed(value: string | undefined, flag = '<lead>'): MissingValue {
    const choices = async () => {
      if (!this.settings.secret) return []
      return leadChoices(await this.client())
    }
    return { flag, label: 'Lead (type a name, phone, external id or id)', value, choices, isOpen: true }
  }

  /** The id of a lead given by id, phone or external id. Everything except an id needs the key of this run. */
  protected async leadId(text: string): Promise<string> {
    return isId(text) ? text : (await this.lookup(await this.client())).lead(text)
  }

  /** The id of a webhook endpoint given by id or address. An address needs the key of this run. */
  protected async endpointId(text: string | undefined): Promise<string | undefined> {
    return text === undefined || isId(text) ? text : (await this.lookup(await this.client())).endpoint(text)
  }

  /** Calls for a snapshot by its name. An unknown name is a usage error, as with every name. */
  protected async ofSnapshot<T>(name: string, call: Promise<T>): Promise<T> {
    return call.catch((error: unknown) => {
      if (!(error instanceof ApiError && error.refusal.code === 'not_found')) throw error
      const hint = 'svc simulate snapshot list shows them.'
      throw new UsageError(`<name> ${JSON.stringify(name)}: no such snapshot.`, hint)
    })
  }

  /** Sets the simulated time used for output. */
  protected shows({ now }: { now: string }): void {
    this.#clock = Date.parse(now)
  }

  /** The mode defaults to that of the key, so that its requests see the change. */
  tenantScope({ mode, organization }: Whose) {
    return { mode: mode ?? this.settings.mode, organization_id: organization }
  }

  protected override get sources() {
    return this.#client ? { ...super.sources, addressSource: this.controlAddress.source } : super.sources
  }

  protected override get nextSteps(): Readonly<Record<string, string>> {
    return { authentication_failed: 'The token goes into --control-token, or SVC_CONTROL_TOKEN.' }
  }

  override async catch(thrown: Error & { code?: string }): Promise<void> {
    if (!(await this.#isElsewhere(thrown))) return super.catch(thrown)
    return super.catch(
      new UsageError(
        `The service at ${this.controlAddress.value} (${this.controlAddress.source}) is not a simulator.`,
        'This command needs a simulator of the same version: run svc simulate. svc whoami shows the address in use.',
      ),
    )
  }

  /** A 404 can mean a missing object or no control plane at all. The health route tells which. */
  async #isElsewhere(thrown: Error): Promise<boolean> {
    if (thrown instanceof NotTheApiError) return true
    if (!(thrown instanceof ApiError && thrown.status === 404) || !this.#client) return false
    return this.#client.call('getHealth', {}).then(
      () => false,
      (error: unknown) =>
        (error instanceof ApiError && !/control token/.test(error.message)) || error instanceof NotTheApiError,
    )
  }
}
