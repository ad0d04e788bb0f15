/** The real engine on a real store, for tests of the loop: its tasks do what a play says and are written down as they run. */
import { afterEachTest } from './ends.js'
import { Engine } from '../../simulator/runtime/engine.js'
import type { EngineOptions } from '../../simulator/runtime/engine-options.js'
import { Clock } from '../../simulator/kernel/clock.js'
import { instant, type Instant } from '../../simulator/kernel/instant.js'
import type { Sender, Settle, Turn } from '../../simulator/runtime/sender.js'
import type { Effect } from '../../simulator/model/effect.js'
import { inMemory, Store } from '../../simulator/storage/store.js'
import type { Task } from '../../simulator/model/task.js'
import { World, type Carrier } from '../../simulator/model/world.js'
import { ManualMachine } from './manual-machine.js'

/** What a task does: it makes appointments after a number of milliseconds, asks for an effect, or fails. */
export interface Act {
  then?: readonly { key: string; inMs: number; act: number }[]
  effect?: boolean
  fails?: boolean
}

/** Acts by number; one that is not there does nothing but run. */
export type Play = Readonly<Record<number, Act>>

export const began = instant(Date.UTC(2026, 9, 1, 12))

const opened = new Set<Store>()
afterEachTest(() => {
  for (const store of opened) store.close()
  opened.clear()
})

/** Makes the attempt that an act asks for. */
export type Perform = (effect: Effect, turn: Turn) => Promise<Settle>

export interface StageOptions extends Partial<Pick<EngineOptions, 'stepsPerInstantMax'>> {
  perform?: Perform
  /** How many milliseconds after its start an attempt that fails is made again. Never, unless given. */
  retryAfterMs?: number
  /** Since when the endpoint fails, in milliseconds from the beginning. */
  failingSinceMs?: number
  play?: Play
  path?: string
  machine?: ManualMachine
  paused?: boolean
  speed?: number
}

const silent: Carrier = { startCall: () => undefined, eventAt: () => ({ what: 'interested' }), transcript: () => [] }
const actOf = (number: number): Task => ({ kind: 'lead.due', lead: number, tenant: 0 })

export class Stage {
  readonly machine: ManualMachine
  readonly store: Store
  readonly world: World
  readonly clock: Clock
  readonly engine: Engine
  readonly failures: unknown[] = []
  play: Play

  constructor({
    play = {},
    path = inMemory,
    machine,
    paused = true,
    speed = 1,
    perform = ({ delivery }) => Promise.resolve(() => this.note('settled', delivery)),
    retryAfterMs,
    failingSinceMs,
    ...options
  }: StageOptions = {}) {
    this.play = play
    this.machine = machine ?? new ManualMachine()
    this.store = Store.open(path)
    opened.add(this.store)
    this.world = new World(this.store, silent)
    const fresh = { now: began, offset: began - this.machine.now(), speed, paused }
    this.clock = new Clock(this.machine, this.world.clockRecord() ?? fresh)
    this.engine = new Engine({
      world: this.world,
      clock: this.clock,
      machine: this.machine,
      sender: this.#senderOf(perform, { retryAfterMs, failingSinceMs }),
      onFailure: (error) => this.failures.push(error),
      run: (_world, task) => this.#run(task),
      ...options,
    })
    this.engine.start()
  }

  /** Attempts that are due when their act runs, made by the play's receivers. */
  #senderOf(perform: Perform, { retryAfterMs, failingSinceMs }: StageOptions): Sender {
    const at = (ms: number | undefined, from: number) => (ms === undefined ? null : instant(from + ms))
    return {
      live: (effect, turn) => ({ outcome: perform(effect, turn), began: () => this.world.now }),
      recall: () => new Map(),
      hold: () => undefined,
      releaseStored: () => undefined,
      hasStored: () => false,
      dueOf: () => ({ due: this.world.now, reserved: false }),
      endpoint: () => ({ failingSince: at(failingSinceMs, began), starts: [] }),
      keepStarts: () => undefined,
      reserve: () => undefined,
      retryAt: (_effect, start) => at(retryAfterMs, start),
      isOff: () => false,
      takeFault: () => null,
      postpone: () => undefined,
      prepare: (effect, start) => () => perform(effect, { isWanted: () => true, now: () => start }),
      skip: () => undefined,
    }
  }

  #run(task: Task): Effect | null {
    if (task.kind !== 'lead.due') throw new Error(`a play knows no ${task.kind}`)
    const { then = [], effect = false, fails = false } = this.play[task.lead] ?? {}
    this.note('ran', task.lead)
    for (const { key, inMs, act } of then) this.world.agenda.put(key, instant(this.world.now + inMs), actOf(act))
    if (fails) throw new Error(`act ${task.lead} fails`)
    return effect ? { kind: 'send', delivery: task.lead, tenant: 0, endpoint: 0, reserved: false } : null
  }

  /** Written to the store: what is rolled back was never noted. */
  note(what: string, number: number): void {
    this.store.insert('audit', { tenant: 0, at: this.world.now, what, lead: number, reason: null })
  }

  /** Appointments in one step, each a number of milliseconds from the start. */
  appoint(...appointments: { key?: string; atMs: number; act: number }[]): void {
    this.engine.step(() => {
      for (const { key, atMs, act } of appointments)
        this.world.agenda.put(key ?? `act ${act}`, instant(began + atMs), actOf(act))
    })
  }

  advanceTo(ms: number): Promise<number> {
    return this.engine.advance(() => instant(began + ms))
  }

  /** What happened so far: the milliseconds since the beginning, what, and the act's number. */
  get log(): [atMs: number, what: string, act: number][] {
    const rows = this.store.all<{ at: Instant; what: string; lead: number }>(
      'SELECT at, what, lead FROM audit ORDER BY n',
    )
    return rows.map(({ at, what, lead }) => [at - began, what, lead])
  }

  /** The acts that ran, in order. */
  get ran(): number[] {
    return this.log.filter(([, what]) => what === 'ran').map(([, , act]) => act)
  }

  get nowMs(): number {
    return this.engine.read(() => this.world.now) - began
  }

  /** As a program that ends: the engine stops and the file is free again. */
  async close(): Promise<void> {
    await this.engine.stop()
    this.abandon()
  }

  /** As a program that is killed: nothing more is written. */
  abandon(): void {
    opened.delete(this.store)
    this.store.close()
  }
}

/** Receivers that answer when the test says so. */
export class Receivers {
  /** The acts whose effects are under way, in the order they were sent. */
  readonly sent: number[] = []
  readonly #answers = new Map<number, () => void>()
  settle: (act: number) => void = () => undefined

  readonly perform: Perform = ({ delivery }) => {
    this.sent.push(delivery)
    return new Promise((resolve) => this.#answers.set(delivery, () => resolve(() => this.settle(delivery))))
  }

  answer(...acts: number[]): void {
    for (const act of acts) this.#answers.get(act)?.()
  }
}

/** Resolves when everything that can go on without the machine's time has gone on. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}
