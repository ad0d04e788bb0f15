/** One random run: its stage, what is known of it, and everything that is sent, so that it can be sent again. */
import type { Key } from '../../src/contract/control/keys.js'
import type { Organization } from '../../src/contract/control/world.js'
import type { Dispatcher } from 'undici'
import type { Reply } from '../support/simulate.js'
import { tenantOf } from './journal.js'
import { copyOf, mirrorOf, type Mirror } from './mirror.js'
import type { Seen } from './seen.js'
import type { Stage } from './stage.js'
import { Witness } from './witness.js'

export interface OwnKey extends Key {
  organization: string
  tenant: string
  /** The campaigns it covers. */
  covers: Set<string>
}

/** Something that was sent: to the API with a key, to the control plane without; or time that was pushed. */
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

  /** Asks the API to do something. The tape has it before it is answered: the answer may never come. */
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

  /** Asks the control plane to do something; it may refuse. */
  control<T>(method: Dispatcher.HttpMethod, path: string, body?: object): Promise<Reply<T>> {
    this.tape.push({ secret: null, method, path, body })
    return this.stage.simulation.ask<T>(method, path, body)
  }

  /** Pushes time. */
  async pass(to: number): Promise<void> {
    const text = new Date(to).toISOString()
    this.tape.push({ to: text })
    await this.stage.simulation.advance(text)
  }

  /** What came of it. */
  async seen(): Promise<Seen> {
    const seen = this.witness.see(await this.stage.happenings())
    this.mirror.now = Math.max(this.mirror.now, this.now)
    return seen
  }

  /** Keeps what is known, to go back to it. */
  keep(): void {
    this.#saved = { mirror: copyOf(this.mirror) }
  }

  /** Whether there is anything to go back to. */
  get kept(): boolean {
    return this.#saved !== undefined
  }

  goBack(): void {
    if (this.#saved) this.witness.mirror = copyOf(this.#saved.mirror)
  }
}

/** One of them, by a number that may be larger than how many there are. */
export function pick<T>(many: readonly T[], n: number): T | undefined {
  return many[n % many.length]
}
