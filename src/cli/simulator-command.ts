/** The base of commands that drive a simulator through its control plane. */
import * as Flags from '@oclif/core/flags'
import type { Interfaces } from '@oclif/core'
import { ApiError, ConnectionError, NotTheApiError } from '../client/errors.js'
import type { Client } from '../client/client.js'
import type { Control } from '../contract/control.js'
import { SvcCommand } from './command.js'
import { UsageError } from './usage-error.js'

type Words = { flags: Interfaces.FlagInput; args: Interfaces.ArgInput }

export const controlFlags = {
  'control-token': Flags.string({
    summary: 'what a simulator started with --host asks for',
    helpValue: '<token>',
    env: 'SVC_CONTROL_TOKEN',
  }),
}

export abstract class SimulatorCommand<C extends Words = Words> extends SvcCommand<C> {
  /** The client of the control plane, on the same address as the API. */
  async control(token?: string): Promise<Client<Control>> {
    const [{ Client }, { Transport }, { control }] = await Promise.all([
      import('../client/client.js'),
      import('../client/transport.js'),
      import('../contract/control.js'),
    ])
    const { key: _key, baseUrl, ...options } = this.transportOptions()
    const transport = new Transport({
      ...options,
      baseUrl: new URL(baseUrl).origin,
      key: token === undefined ? undefined : { secret: token },
      // Pushing a month takes as long as it takes.
      timeoutMs: 0,
      idempotent: false,
    })
    return new Client<Control>(control, transport)
  }

  override async catch(thrown: Error & { code?: string }): Promise<void> {
    const elsewhere = thrown instanceof NotTheApiError || (thrown instanceof ApiError && thrown.refusal.code === 'not_found' && /^There is nothing at|no (GET|POST|PATCH|DELETE)/.test(thrown.message))
    if (elsewhere) return super.catch(new UsageError(`The service at ${this.settings.baseUrl.value} is no simulator.`, 'These commands work with svc simulate alone; svc whoami shows the address in use.'))
    if (thrown instanceof ConnectionError) this.note('No simulator answers; start one with svc simulate.\n')
    return super.catch(thrown)
  }
}
