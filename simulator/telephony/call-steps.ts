/** Plays calls step by step: schedules each step, and knows what happens at it. */
import { after, type Duration } from '../kernel/instant.js'
import type { Call, CallEvent } from '../model/call.js'
import type { Tenant } from '../model/world.js'

/** A call event, with its time after the first ring. */
export type ScriptStep = readonly [Duration, CallEvent]

export class CallSteps {
  readonly #list: (tenant: Tenant, call: Call) => readonly ScriptStep[]
  /** The steps of ongoing calls, which are needed at each step. */
  readonly #known = new WeakMap<Call, readonly ScriptStep[]>()

  /** `list` gives the steps of a call, the same ones each time. */
  constructor(list: (tenant: Tenant, call: Call) => readonly ScriptStep[]) {
    this.#list = list
  }

  #of(tenant: Tenant, call: Call): readonly ScriptStep[] {
    let steps = this.#known.get(call)
    if (!steps) this.#known.set(call, (steps = this.#list(tenant, call)))
    return steps
  }

  /** Schedules the first step of a new call. */
  begin(tenant: Tenant, call: Call): void {
    this.#schedule(tenant, call, 0)
  }

  #schedule(tenant: Tenant, call: Call, beat: number): void {
    const next = this.#of(tenant, call)[beat]
    if (!next) return
    const { world, n: tenantNumber } = tenant
    const at = after(call.started, next[0])
    world.agenda.put(
      `call:${call.n}`,
      at,
      { kind: 'call.beat', call: call.n, beat, tenant: tenantNumber },
      { first: beat === 0 },
    )
  }

  /** The call event of a step. */
  eventAt(tenant: Tenant, call: Call, beat: number): CallEvent {
    const played = this.#of(tenant, call)[beat]
    if (!played) throw new Error(`call ${tenant.calls.id(call.n)} has no step ${beat}`)
    return played[1]
  }

  /** Plays one step: schedules the next one and returns the call event. */
  play(tenant: Tenant, call: Call, beat: number): CallEvent {
    const heard = this.eventAt(tenant, call, beat)
    this.#schedule(tenant, call, beat + 1)
    return heard
  }
}
