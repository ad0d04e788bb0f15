/** Plays calls step by step: schedules each step, and knows what happens at it. */
import { after, type Duration } from '../kernel/instant.js'
import type { Call, CallEvent } from '../model/call.js'
import type { Tenant } from '../model/world.js'

/** A call event, with its time after the first ring. */
export type ScriptStep = readonly [Duration, CallEvent]

/** More calls than usually go on at the same time. */
const mostKnown = 4_096

export class CallSteps {
  readonly #list: (tenant: Tenant, call: Call) => readonly ScriptStep[]
  /** The steps of ongoing calls, which are needed at each step. */
  readonly #known = new Map<Call, readonly ScriptStep[]>()

  /** `list` gives the steps of a call, the same ones each time. */
  constructor(list: (tenant: Tenant, call: Call) => readonly ScriptStep[]) {
    this.#list = list
  }

  #of(tenant: Tenant, call: Call): readonly ScriptStep[] {
    let steps = this.#known.get(call)
    if (steps) return steps
    // Calls that the app ended before their last step are still here.
    if (this.#known.size >= mostKnown) this.#known.clear()
    steps = this.#list(tenant, call)
    this.#known.set(call, steps)
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
    if (beat + 1 === this.#of(tenant, call).length) this.#known.delete(call)
    return heard
  }
}
