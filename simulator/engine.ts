/** The one loop: takes the next due task, sets the clock to its time, runs it, and brings outcomes back as steps. */
import type { Clock, ClockRecord } from './kernel/clock.js'
import { later, type Instant } from './kernel/instant.js'
import type { Machine, Timer } from './kernel/machine.js'
import { run } from './tasks.js'
import type { Appointment } from './world/agenda.js'
import type { Effect } from './world/effect.js'
import type { Notice, World } from './world/world.js'

/** Performs an effect; what it resolves to is run as a step of its own when its turn has come. */
export type Perform = (effect: Effect) => Promise<() => void>

/** A task keeps making appointments for the very moment it runs in. */
export class RunawayError extends Error {
  override name = 'RunawayError'
}

export interface EngineOptions {
  world: World
  clock: Clock
  machine: Machine
  perform: Perform
  /** Called when the loop cannot go on: a task failed, or the store did. */
  onFailure: (error: unknown) => void
  /** How many more tasks than are due may run at one instant before that is taken for a runaway. */
  stepsPerInstantMax?: number
}

/** How long tasks run before requests that wait get their turn. */
const sliceMs = 8

export class Engine {
  readonly #world: World
  readonly #clock: Clock
  readonly #machine: Machine
  readonly #perform: Perform
  readonly #onFailure: (error: unknown) => void
  readonly #stepsPerInstantMax: number
  readonly #listeners = new Set<(notice: Notice) => void>()
  readonly #underWay = new Set<Promise<void>>()
  #lastSent: Promise<void> = Promise.resolve()
  /** Advances run one after the other. */
  #pushing: Promise<unknown> = Promise.resolve()
  #pushed = false
  #timer: Timer | null = null
  #timerAt: Instant | null = null
  #stopped = true
  /** Counts the worlds: a reset or a restore makes a new one. */
  #generation = 0
  #instant: Instant | null = null
  #stepsLeft = 0
  #dueWhenCounted = Infinity

  constructor({ world, clock, machine, perform, onFailure, stepsPerInstantMax = 100_000 }: EngineOptions) {
    this.#world = world
    this.#clock = clock
    this.#machine = machine
    this.#perform = perform
    this.#onFailure = onFailure
    this.#stepsPerInstantMax = stepsPerInstantMax
    world.now = clock.now()
  }

  /** From now on what falls due happens by itself; what fell due before runs late, at once, in order. */
  start(): void {
    this.#stopped = false
    this.#wake()
  }

  /** Stops time and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#rest()
    await this.#pushing.catch(() => undefined)
    await Promise.all(this.#underWay)
    this.#world.store.transaction(() => this.#record())
  }

  /** Hears of everything that happens, once it is committed. The answer stops it. */
  watch(listener: (notice: Notice) => void): () => void {
    this.#listeners.add(listener)
    this.#world.watched = true
    return () => {
      this.#listeners.delete(listener)
      this.#world.watched = this.#listeners.size > 0
    }
  }

  /** Reads at this moment, after all that was due before it. */
  read<T>(look: () => T): T {
    this.#catchUp()
    return look()
  }

  /** Runs work as one step at this moment: all of it is kept, or nothing. */
  step<T>(work: () => T): T {
    this.#catchUp()
    return this.#commit(work)
  }

  #commit<T>(work: () => T): T {
    try {
      const result = this.#world.store.transaction(() => {
        const done = work()
        this.#record()
        return done
      })
      this.#tell()
      return result
    } catch (error) {
      this.#world.refresh()
      throw error
    } finally {
      this.#wake()
    }
  }

  /** Time never jumps over a due task: what is due runs first, as far as one slice goes. */
  #catchUp(): void {
    if (this.#pushed) return
    const now = this.#clock.now()
    if (this.#runSlice(now)) this.#world.now = later(this.#world.now, now)
  }

  /** Pushes time to a moment, everything due on the way included; the answer is how many events came of it. */
  advance(to: Instant): Promise<number> {
    const pushing = this.#pushing.catch(() => undefined).then(() => this.#push(to))
    this.#pushing = pushing
    return pushing
  }

  async #push(to: Instant): Promise<number> {
    const world = this.#world
    const before = world.eventsRecorded
    this.#catchUp()
    await this.#settled()
    this.#pushed = true
    try {
      while (!this.#stopped) {
        const caughtUp = this.#runSlice(to)
        // An answer is awaited before time passes on; it may bring new tasks, due now or later.
        if (this.#underWay.size > 0 && !this.#moreAt(world.now)) await this.#settled()
        else if (caughtUp) break
        else await this.#machine.turn()
      }
      world.now = later(world.now, to)
      this.#clock.reach(world.now)
      world.store.transaction(() => this.#record())
    } finally {
      this.#pushed = false
      this.#wake()
    }
    return world.eventsRecorded - before
  }

  #moreAt(at: Instant): boolean {
    return this.#world.agenda.next(at) !== null
  }

  /** Everything under way has come back, and been settled in the order it was sent. */
  async #settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay)
  }

  /** Runs tasks due at or before `until` for one slice, in one transaction. True when none is left. */
  #runSlice(until: Instant): boolean {
    const { agenda, store } = this.#world
    let next = agenda.next(until)
    if (!next) return true
    const effects: Effect[] = []
    const end = this.#machine.monotonic() + sliceMs
    try {
      store.transaction(() => {
        for (; next; next = agenda.next(until)) {
          if (this.#pushed && next.at > this.#world.now && (effects.length > 0 || this.#underWay.size > 0)) break
          const effect = this.#runTask(next)
          if (effect) effects.push(effect)
          if (this.#machine.monotonic() > end) break
        }
        this.#record()
      })
    } catch (error) {
      this.#world.refresh()
      throw error
    }
    this.#tell()
    for (const effect of effects) this.#send(effect)
    return agenda.next(until) === null
  }

  #runTask(appointment: Appointment): Effect | null {
    this.#world.now = later(this.#world.now, appointment.at)
    this.#clock.reach(this.#world.now)
    this.#bound(appointment)
    this.#world.agenda.done(appointment)
    return run(this.#world, appointment.task)
  }

  /** Counts the tasks of one instant: a generous number may run, and beyond it only while fewer and fewer are due. */
  #bound({ task }: Appointment): void {
    const { now, store } = this.#world
    if (this.#instant !== now) {
      this.#instant = now
      this.#stepsLeft = this.#stepsPerInstantMax
      this.#dueWhenCounted = Infinity
    }
    if (this.#stepsLeft-- > 0) return
    const due = store.one<{ n: number }>('SELECT count(*) AS n FROM agenda WHERE at <= ?', now)?.n ?? 0
    if (due >= this.#dueWhenCounted) {
      throw new RunawayError(
        `More than ${this.#stepsPerInstantMax} tasks ran at ${new Date(now).toISOString()} and time did not pass: ` +
          `a task of kind ${task.kind} keeps making appointments for the same moment.`,
      )
    }
    this.#dueWhenCounted = due
    this.#stepsLeft = due
  }

  /** Has an effect performed. While time is pushed, outcomes are settled in the order they were sent. */
  #send(effect: Effect): void {
    const before = this.#pushed ? this.#lastSent : Promise.resolve()
    const world = this.#generation
    const sent = (async () => {
      const settle = await this.#perform(effect)
      await before
      // What comes back for a world that was replaced meanwhile says nothing about this one.
      if (!this.#stopped && world === this.#generation) this.#commit(settle)
    })()
      .catch((error: unknown) => this.#onFailure(error))
      .finally(() => this.#underWay.delete(sent))
    this.#lastSent = sent
    this.#underWay.add(sent)
  }

  #record(): void {
    this.#world.recordClock(this.#clock.record())
  }

  #tell(): void {
    const { notices } = this.#world
    if (notices.length === 0) return
    for (const notice of notices.splice(0)) for (const listener of this.#listeners) listener(notice)
  }

  /** Sleeps until the next appointment, or not at all while time is pushed, stands still, or has nothing to do. */
  #wake(): void {
    if (this.#stopped || this.#pushed) return
    const next = this.#world.agenda.next()
    const wait = next && this.#clock.machineTimeUntil(next.at)
    if (this.#timer && next && this.#timerAt === next.at && wait !== null) return
    this.#timer?.cancel()
    this.#timer = null
    if (next === null || wait === null) return
    this.#timerAt = next.at
    this.#timer = this.#machine.after(wait, () => this.#tick())
  }

  #tick(): void {
    this.#timer = null
    if (this.#stopped || this.#pushed) return
    try {
      this.#catchUp()
      this.#wake()
    } catch (error) {
      this.#onFailure(error)
    }
  }

  /** Changes how time passes from now on. */
  setClock(how: { speed?: number | undefined; paused?: boolean | undefined }): void {
    this.#catchUp()
    this.#clock.set(how)
    this.#rest()
    this.#commit(() => undefined)
  }

  /** Puts another world in the place of this one; `work` says what its clock shows. Waits for an advance to end. */
  async replace(work: () => ClockRecord): Promise<void> {
    const replacing = this.#pushing
      .catch(() => undefined)
      .then(() => {
        this.#rest()
        const record = this.#world.store.transaction(work)
        this.#generation++
        this.#world.refresh()
        this.#clock.put(record)
        this.#world.now = record.now
        this.#commit(() => undefined)
      })
    this.#pushing = replacing
    await replacing
  }

  #rest(): void {
    this.#timer?.cancel()
    this.#timer = null
  }
}
