/** One random run: its simulator, the model, and a recording of everything it sends, so that it can be replayed. */
import type { Key } from '../../src/contract/control/keys.js'
import type { Organization } from '../../src/contract/control/world.js'
import type { Dispatcher } from 'undici'
import type { Reply } from '../support/simulate.js'
import { tenantOf } from './journal.js'
import { copyOf, mirrorOf, type Mirror } from './model/mirror.js'
import type { Seen } from './seen.js'
import type { Stage } from './actions/stage.js'
import { Witness } from './model/witness.js'

export interface OwnKey extends Key {
  organization: string
  tenant: string
  /** The campaigns that the key covers. */
  covers: Set<string>
}

/** A recorded request, to the API with a key or to the control plane without, or an advance of time. */
export type Sent =
  | { to: string }
  | {
      secret: string | null
      method: Dispatcher.HttpMethod
      path: string
      body: object | undefined
      idempotencyKey?: string
    }

export class Run {
  readonly tape: Sent[] = []
  #saved: { mirror: Mirror } | undefined

  private constructor(
    readonly stage: Stage,
    readonly organizations: readonly Organization[],
    readonly keys: readonly OwnKey[],
    readonly witness: Witness,
  ) {}

  static async begin(stage: Stage): Promise<Run> {
    const organizations = await stage.organizations()
    const keys = organizations.flatMap(({ id, campaigns, keys: some }) =>
      some.map((key) => ({
        ...key,
        organization: id,
        tenant: tenantOf(id, key.mode),
        covers: new Set(key.campaign_ids ?? campaigns.map((campaign) => campaign.id)),
      })),
    )
    const now = Date.parse(stage.simulation.now)
    return new Run(stage, organizations, keys, new Witness(mirrorOf(organizations, now)))
  }

  get mirror(): Mirror {
    return this.witness.mirror
  }

  get now(): number {
    return Date.parse(this.stage.simulation.now)
  }

  /** Sends an API request. It is recorded first, because the answer may never come. */
  api<T>(
    { secret }: Key,
    method: Dispatcher.HttpMethod,
    path: string,
    body?: object,
    idempotencyKey?: string,
  ): Promise<Reply<T>> {
    this.tape.push({ secret, method, path, body, ...(idempotencyKey !== undefined && { idempotencyKey }) })
    const key = this.keys.find((one) => one.secret === secret)
    const headers: Record<string, string> = { authorization: `Bearer ${secret}` }
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
    return this.stage.simulation.send<T>(method, path, { headers, body }, key)
  }

  /** Sends a control request, which may be refused. */
  control<T>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Reply<T>> {
    this.tape.push({ secret: null, method, path, body })
    return this.stage.simulation.ask<T>(method, path, body)
  }

  /** Advances time. */
  async pass(to: number): Promise<void> {
    const text = new Date(to).toISOString()
    this.tape.push({ to: text })
    await this.stage.simulation.advance(text)
  }

  /** What happened since the last look. */
  async seen(): Promise<Seen> {
    const seen = this.witness.see(await this.stage.happenings())
    this.mirror.now = Math.max(this.mirror.now, this.now)
    return seen
  }

  /** Saves the model, to return to it later. */
  keep(): void {
    this.#saved = { mirror: copyOf(this.mirror) }
  }

  /** Whether the model was saved. */
  get kept(): boolean {
    return this.#saved !== undefined
  }

  goBack(): void {
    if (this.#saved) this.witness.mirror = copyOf(this.#saved.mirror)
  }
}

/** Picks an item by index, modulo the number of items. */
export function pick<T>(many: readonly T[], n: number): T | undefined {
  return many[n % many.length]
}
