/** The engine loop: takes the next due task, sets the clock to its time, runs it, and records effects' outcomes. */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { Alarm } from '../kernel/alarm.js'
import type { Clock, ClockRecord } from '../kernel/clock.js'
import { justBefore, later, toIso, type Instant } from '../kernel/instant.js'
import type { SystemClock } from '../kernel/system-clock.js'
import { StepLimit } from './step-limit.js'
import { DiskRetry, ignoreDiskFailure } from './disk-retry.js'
import type { EngineOptions } from './engine-options.js'
import { Listeners, type Listener } from './listeners.js'
import { PendingEffects } from './pending-effects.js'
import { PushedDeliveries } from './pushed-deliveries.js'
import type { Sender } from './sender.js'
import type { StopCondition } from '../model/stop-condition.js'
import { runTask } from './tasks.js'
import { GroupCommit } from './group-commit.js'
import type { Appointment } from '../model/agenda.js'
import type { Effect } from '../model/effect.js'
import { StoreError } from '../storage/store-error.js'
import type { Task } from '../model/task.js'
import type { World } from '../model/world.js'

/** How long tasks run before waiting requests get a turn. Advances use longer slices while no request waits. */
const sliceMs = 8
const longer = (sliceMs: number) => Math.min(2 * sliceMs, 512)

/** How often an advance waits for the disk. It also does so at its first commit and before any acknowledgment. */
const durableEveryMs = 100

export class Engine {
  readonly #world: World
  readonly #clock: Clock
  readonly #machine: SystemClock
  readonly #sender: Sender
  readonly #paced: boolean
  readonly #run: (world: World, task: Task) => Effect | null
  readonly #onFailure: (error: unknown) => void
  readonly #patience: StepLimit
  readonly #alarm: Alarm
  readonly #listeners: Listeners
  /** Live attempts, made while time passes by itself. Each is settled when its answer comes. */
  readonly #outcomes: PendingEffects
  readonly #disk: DiskRetry
  /** Advances and replacements of the world run one after the other. */
  #lastTurn: Promise<unknown> = Promise.resolve()
  /** Set while time is advanced. */
  #pushing: PushedDeliveries | null = null
  /** Condition that stops the advance early. */
  #condition: StopCondition | null = null
  /** System time of the last wait for the disk, and whether all commits so far are durable. */
  #durableAt = 0
  #isDurable = true
  #asked = false
  #stopped = true
  readonly #together: GroupCommit

  constructor({
    world,
    clock,
    machine,
    sender,
    paced = true,
    onFailure,
    run = runTask,
    stepsPerInstantMax = 100_000,
  }: EngineOptions) {
    this.#world = world
    this.#clock = clock
    this.#machine = machine
    this.#sender = sender
    this.#paced = paced
    this.#run = run
    this.#onFailure = onFailure
    this.#patience = new StepLimit(stepsPerInstantMax)
    this.#together = new GroupCommit(machine, world, (work) => this.step(work))
    this.#alarm = new Alarm(clock, machine, () => this.#tick())
    this.#outcomes = new PendingEffects({ step: (settle) => this.step(settle), onFailure })
    this.#listeners = new Listeners(world, onFailure)
    // Overwrites what a failed commit may have left in the file, and goes on.
    const ask = () => (this.#commit(() => undefined), this.#tick())
    this.#disk = new DiskRetry({ machine, onFailure, ask })
    world.now = clock.now()
  }

  /** Starts the loop. Tasks that became due before run at once, late and in order. */
  start(): void {
    this.#stopped = false
    this.#wake()
  }

  /** Stops time and a running advance, and waits for the current work. The caller must abort running effects. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#alarm.cancel()
    await this.#lastTurn
    await this.#outcomes.waitForAll()
    // Everything acknowledged was committed before, so a disk failure is ignored here.
    ignoreDiskFailure(() => this.#commit(() => undefined))
    this.#disk.stop()
  }

  /** Calls the listener with everything that happens, after its commit. Returns an unsubscribe function. */
  subscribe(listener: Listener): () => void {
    return this.#listeners.add(listener)
  }

  /** Reads the world at the current time, after all due tasks. If the disk fails, reads the last committed state. */
  read<T>(look: () => T): T {
    this.#asked = true
    ignoreDiskFailure(() => (this.#catchUp(), this.#makeDurable()))
    return look()
  }

  /**
   * Like `read`, but resolves after all waiting input was read: one wake-up then serves several answers, and a
   * wake-up is half the cost of a small answer. While time is advanced, it does not wait for another slice.
   */
  async readInGroup<T>(look: () => T): Promise<T> {
    const seen = this.read(look)
    if (!this.#pushing) await this.#machine.turn()
    return seen
  }

  /** Runs work as one step at the current time, atomically. */
  step<T>(work: () => T): T {
    this.#asked = true
    this.#catchUp()
    try {
      const done = this.#commit(work)
      // A stopped clock runs any number of steps at one moment: that is not a runaway.
      this.#patience.reset()
      return done
    } finally {
      this.#wake()
    }
  }

  /** Like `step`, but commits together with other steps that arrive at the same time. */
  stepInGroup<T>(work: () => T): Promise<T> {
    return this.#together.add(work)
  }

  /** Waits for the disk if something was committed without waiting. */
  #makeDurable(): void {
    if (!this.#isDurable) this.#commit(() => undefined)
  }

  /** Commits work and the current time in one transaction. */
  #commit<T>(work: () => T, isDurable = true): T {
    return this.#keep(() => {
      const done = work()
      // The clock may be ahead of a busy world. The stored clock must match the stored world.
      this.#world.recordClock({ ...this.#clock.record(), now: this.#world.now })
      this.#world.requests.flush()
      return done
    }, isDurable)
  }

  /** Runs one transaction, then notifies listeners. If it fails, time and cached rows are restored. */
  #keep<T>(work: () => T, isDurable = true): T {
    const world = this.#world
    const { now } = world
    const putClockBack = this.#clock.savepoint()
    try {
      const result = world.store.transaction(work, isDurable)
      this.#isDurable = isDurable
      if (isDurable) this.#durableAt = this.#machine.monotonic()
      world.requests.clearFlushed()
      this.#disk.stop()
      this.#condition?.keep()
      this.#listeners.tell()
      return result
    } catch (error) {
      this.#condition?.undo()
      world.now = now
      putClockBack()
      world.refresh()
      this.#disk.handleFailure(error)
      throw error
    }
  }

  /** Runs due tasks for one slice, because time never skips a due task. */
  #catchUp(): void {
    if (this.#pushing || this.#stopped) return
    this.#settleLate()
    const now = this.#clock.now()
    if (this.#runSlice(now)) this.#world.now = later(this.#world.now, now)
  }

  /**
   * Advances time and runs everything due on the way. Returns the number of events. The target is computed when the
   * advance begins, so that consecutive advances add up. Throws `service_unavailable` if the engine stops or the
   * caller no longer wants the result; time then stays where it is. With a condition, time stops after the task that
   * meets it.
   */
  advance(
    target: (now: Instant) => Instant,
    isWanted = () => true,
    condition: () => StopCondition | null = () => null,
  ): Promise<number> {
    return this.#inTurn(async () => {
      const before = this.#world.eventsSoFar
      const to = target(this.read(() => this.#world.now))
      this.#durableAt = -Infinity
      this.#condition = condition()
      this.#alarm.cancel()
      try {
        await this.#push(to, isWanted, this.#takeOver())
      } finally {
        ignoreDiskFailure(() => this.#makeDurable())
        this.#letGo()
        this.#condition = null
        this.#wake()
      }
      return this.#world.eventsSoFar - before
    })
  }

  async #push(to: Instant, isWanted: () => boolean, pushing: PushedDeliveries): Promise<void> {
    const world = this.#world
    const goesOn = () => !this.#stopped && (isWanted() || !pushing.isIdle)
    for (let slice = sliceMs; goesOn(); slice = this.#asked || !pushing.isIdle ? sliceMs : longer(slice)) {
      this.#asked = false
      this.#settleLate()
      const isReached = this.#condition?.isReached === true
      // If the client has disconnected, finishes the work that has begun and stops at the current time.
      const until = isReached ? justBefore(world.now) : isWanted() ? to : world.now
      this.#runSlice(until, slice)
      const next = world.agenda.next(until)
      if (next && this.#mayRun(next)) await this.#machine.turn()
      else if (pushing.isRunning) await pushing.nextAnswer()
      else if (isReached) return this.#makeDurable()
      else if (!next && isWanted() && !this.#condition?.isReached) return this.#arrive(later(world.now, to))
    }
    const why = this.#stopped ? 'The simulator is closing' : 'Nobody waits for the answer any more'
    throw new ApiError('service_unavailable', `${why}; its clock was pushed to ${toIso(world.now)} only.`)
  }

  /** From now on attempts start at simulated times, including those that wait. */
  #takeOver(): PushedDeliveries {
    const world = this.#world
    const sender = this.#sender
    if (sender.hasStored()) this.#commit(() => sender.releaseStored())
    const options = { world, sender, machine: this.#machine, paced: this.#paced, onFailure: this.#onFailure }
    world.pushed = true
    return (this.#pushing = new PushedDeliveries(options, this.#outcomes.take()))
  }

  /** Attempts that an early end of the advance leaves behind continue as live attempts. */
  #letGo(): void {
    const pushing = this.#pushing
    this.#pushing = null
    this.#world.pushed = false
    const { running = [], waiting = [] } = pushing?.letGo() ?? {}
    for (const one of running) this.#outcomes.settleWhenDone({ ...one, isWanted: this.#whileItLasts() })
    if (!this.#stopped) for (const effect of waiting) this.#send(effect)
  }

  #whileItLasts(): () => boolean {
    const { generation } = this.#world
    return () => !this.#stopped && generation === this.#world.generation
  }

  #arrive(at: Instant): void {
    this.#commit(() => {
      this.#clock.advanceTo(at)
      this.#world.now = at
    })
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#lastTurn.then(work)
    this.#lastTurn = done.catch(() => undefined)
    return done
  }

  /**
   * Runs due tasks up to `until` in one transaction, for one slice and at most `most`. Returns true if none is left.
   */
  #runSlice(until: Instant, lengthMs = sliceMs, most = Infinity): boolean {
    const world = this.#world
    const pushing = this.#pushing
    const effects: Effect[] = []
    const takeCountBack = this.#patience.savepoint()
    const begins = this.#machine.monotonic()
    const end = begins + lengthMs
    if (!world.agenda.next(until) && (pushing?.isIdle ?? true)) return true
    let ran = 0
    try {
      this.#commit(
        () => {
          pushing?.pass(until)
          let next = world.agenda.next(until)
          for (; next && ran < most && this.#mayRun(next); next = world.agenda.next(until)) {
            const effect = this.#runTask(next)
            ran++
            if (effect && pushing) pushing.add(effect)
            else if (effect) effects.push(effect)
            if (this.#condition?.look() || this.#machine.monotonic() > end) break
          }
          pushing?.pass(until)
          this.#clock.advanceTo(world.now)
        },
        !pushing || begins - this.#durableAt >= durableEveryMs,
      )
    } catch (error) {
      takeCountBack()
      pushing?.takeBack()
      // A failed task rolled back the transaction: runs and commits the tasks before it again.
      if (ran > 0 && ran < most && !(error instanceof StoreError)) this.#runSlice(until, lengthMs, ran)
      throw error
    }
    pushing?.kept()
    for (const effect of effects) this.#send(effect)
    return world.agenda.next(until) === null
  }

  /** Advanced time does not pass a moment at which a missing answer could change what happens. */
  #mayRun({ at }: Appointment): boolean {
    return at <= this.#world.now || !this.#pushing || at <= this.#pushing.limit()
  }

  #runTask(appointment: Appointment): Effect | null {
    const world = this.#world
    world.now = later(world.now, appointment.at)
    this.#patience.check(world, appointment)
    world.agenda.remove(appointment)
    return this.#run(world, appointment.task)
  }

  #send(effect: Effect): void {
    const isWanted = this.#whileItLasts()
    const attempt = this.#sender.live(effect, { isWanted, now: () => this.#moment() })
    this.#outcomes.settleWhenDone({ effect, ...attempt, isWanted })
  }

  /** The current time, inside or outside a step. While time is advanced it stands still between steps. */
  #moment(): Instant {
    const { now } = this.#world
    return this.#pushing || this.#stopped ? now : later(now, this.#clock.now())
  }

  #settleLate(): void {
    this.#outcomes.settleLate((settle) => this.#commit(settle))
  }

  /** Sleeps until the next appointment. An advance and the disk retry wake the loop themselves. */
  #wake(): void {
    if (!this.#stopped && !this.#pushing && !this.#disk.fails) this.#alarm.set(this.#world.agenda.next()?.at ?? null)
  }

  #tick(): void {
    try {
      ignoreDiskFailure(() => this.#catchUp())
      this.#wake()
    } catch (error) {
      this.#onFailure(error)
    }
  }

  /** Sets the clock's speed or pauses it. A clock ahead of a busy world is set back to the world's time. */
  setClock(how: { speed?: number | undefined; paused?: boolean | undefined }): void {
    this.#catchUp()
    this.#alarm.cancel()
    try {
      this.#commit(() => this.#clock.set(how, this.#world.now))
    } finally {
      this.#wake()
    }
  }

  /** Replaces the world. `work` returns the new clock. Waits for a running advance to end. */
  replaceWorld(work: () => ClockRecord): Promise<void> {
    return this.#inTurn(() => {
      this.#alarm.cancel()
      try {
        const record = this.#keep(() => {
          // Writes the old world's request counts first.
          this.#world.requests.flush()
          const begins = work()
          this.#world.recordClock({ ...begins, offset: begins.now - this.#machine.now() })
          return begins
        })
        this.#world.generation++
        this.#outcomes.clear()
        this.#patience.reset()
        this.#clock.replace(record)
        this.#world.now = record.now
        this.#world.refresh()
        this.#world.publishReplacement()
        this.#listeners.tell()
      } finally {
        this.#wake()
      }
    })
  }
}
