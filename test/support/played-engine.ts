/**
 * The real engine on a real store, for tests of its loop. Its tasks do what a script says and are recorded as they
 * run.
 */
import { afterEachTest } from './ends.js'
import { Engine } from '../../simulator/runtime/engine.js'
import type { EngineOptions } from '../../simulator/runtime/engine-options.js'
import { Clock } from '../../simulator/kernel/clock.js'
import { instant, type Instant } from '../../simulator/kernel/instant.js'
import type { Sender, Settle, Turn } from '../../simulator/runtime/sender.js'
import { inMemory, Store } from '../../simulator/storage/store.js'
import type { Task, Effect } from '../../simulator/model/task.js'
import { World, type Carrier } from '../../simulator/model/world.js'
import { ManualMachine } from './manual-machine.js'
import { sql } from '../../simulator/storage/sql.js'
import { tables } from '../../simulator/storage/tables.js'

/** What a task does: it schedules tasks after a number of milliseconds, publishes a notice, returns an effect, or fails. */
export interface Act {
  notice?: boolean
  then?: readonly { key: string; inMs: number; act: number }[]
  effect?: boolean
  fails?: boolean
}

/** Acts by number. A missing act only runs. */
export type Play = Readonly<Record<number, Act>>

export const began = instant(Date.UTC(2026, 9, 1, 12))

const opened = new Set<Store>()
afterEachTest(() => {
  for (const store of opened) store.close()
  opened.clear()
})

/** Makes the attempt that an act's effect asks for. */
export type Perform = (effect: Effect, turn: Turn) => Promise<Settle>

export interface StageOptions extends Partial<Pick<EngineOptions, 'stepsPerInstantMax'>> {
  perform?: Perform
  /** Milliseconds after which a failed attempt is repeated; never by default. */
  retryAfterMs?: number
  /** Since when the endpoint has been failing, in milliseconds from the start. */
  failingSinceMs?: number
  play?: Play
  path?: string
  machine?: ManualMachine
  paused?: boolean
  speed?: number
}

const silent: Carrier = {
  startCall: () => undefined,
  eventAt: () => ({ what: 'interested' }),
  playStep: () => ({ what: 'interested' }),
  transcript: () => [],
}
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

  /** A sender whose due attempts are made by the play's receivers. */
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
      reorderedBehind: () => [],
      isOff: () => false,
      takeFault: () => null,
      postpone: () => undefined,
      prepare: (effect, start) => () => perform(effect, { isWanted: () => true, now: () => start }),
      skip: () => undefined,
    }
  }

  #run(task: Task): Effect | null {
    if (task.kind !== 'lead.due') throw new Error(`a play knows no ${task.kind}`)
    const { then = [], notice = false, effect = false, fails = false } = this.play[task.lead] ?? {}
    this.note('ran', task.lead)
    for (const { key, inMs, act } of then) this.world.agenda.put(key, instant(this.world.now + inMs), actOf(act))
    if (notice) this.world.publish({ kind: 'event', tenant: 0, n: 1, type: 'lead.created', lead: null })
    if (fails) throw new Error(`act ${task.lead} fails`)
    return effect ? { kind: 'send', delivery: task.lead, tenant: 0, endpoint: 0, reserved: false } : null
  }

  /** Records in the store, so that a rollback removes the record. */
  note(what: string, number: number): void {
    this.store.insert(tables.audit, { tenant: 0, at: this.world.now, what, lead: number, reason: null })
  }

  /** Schedules tasks in one step, each a number of milliseconds from the start. */
  appoint(...appointments: { key?: string; atMs: number; act: number }[]): void {
    this.engine.step(() => {
      for (const { key, atMs, act } of appointments)
        this.world.agenda.put(key ?? `act ${act}`, instant(began + atMs), actOf(act))
    })
  }

  advanceTo(ms: number): Promise<number> {
    return this.engine.advance(() => instant(began + ms)).then(({ events }) => events)
  }

  /** What happened so far: milliseconds since the start, what, and the act's number. */
  get log(): [atMs: number, what: string, act: number][] {
    const rows = this.store.all<{ at: Instant; what: string; lead: number }>(
      sql`SELECT at, what, lead FROM ${tables.audit} ORDER BY n`,
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

  /** Ends like a program: stops the engine and closes the file. */
  async close(): Promise<void> {
    await this.engine.stop()
    this.abandon()
  }

  /** Ends like a killed program: writes nothing more. */
  abandon(): void {
    opened.delete(this.store)
    this.store.close()
  }
}

/** Receivers that answer when the test says so. */
export class Receivers {
  /** The acts with running effects, in the order they were sent. */
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

/** Resolves when all work that does not wait for the clock is done. */
export async function quiet(): Promise<void> {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}
