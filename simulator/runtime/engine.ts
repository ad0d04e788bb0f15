/** The one loop: takes the next due task, sets the clock to its time, runs it, and brings outcomes back as steps. */
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

/** How long tasks run before requests that wait get their turn: pushed time takes longer slices while no request comes. */
const sliceMs = 8
const longer = (sliceMs: number) => Math.min(2 * sliceMs, 512)

/** How often pushed time waits for the disk: at its first commit, then this often, and before anything is acknowledged. */
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
  /** Attempts of time that passes by itself: each is settled when its answer comes. */
  readonly #outcomes: PendingEffects
  readonly #disk: DiskRetry
  /** Advances and replacements happen one after the other. */
  #lastTurn: Promise<unknown> = Promise.resolve()
  /** While time is pushed. */
  #pushing: PushedDeliveries | null = null
  /** What stops the push before its end. */
  #condition: StopCondition | null = null
  /** Time of the system clock at which the disk was last waited for, and whether something was kept since. */
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
    // Writes over what a commit that failed may have left in the file, and goes on.
    const ask = () => (this.#commit(() => undefined), this.#tick())
    this.#disk = new DiskRetry({ machine, onFailure, ask })
    world.now = clock.now()
  }

  /** From now on what falls due happens by itself; what fell due before runs late, at once, in order. */
  start(): void {
    this.#stopped = false
    this.#wake()
  }

  /**
   * Stops time where it is, an advance on its way too, and waits for what is under way. Whoever performs effects must
   * let go of them; what they bring is not settled any more.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#alarm.cancel()
    await this.#lastTurn
    await this.#outcomes.waitForAll()
    // All that was acknowledged was kept before.
    ignoreDiskFailure(() => this.#commit(() => undefined))
    this.#disk.stop()
  }

  /** Calls the listener with everything that happens, once it is committed. The answer stops it. */
  subscribe(listener: Listener): () => void {
    return this.#listeners.add(listener)
  }

  /** Reads at this moment, after all that was due before it; where the disk takes nothing, at the last that was kept. */
  read<T>(look: () => T): T {
    this.#asked = true
    ignoreDiskFailure(() => (this.#catchUp(), this.#makeDurable()))
    return look()
  }

  /**
   * As `read`; the answer comes when all input that waits was read. Answers that go out one after the other wake whoever
   * reads them once, and waking is half of what a small answer costs. While time is pushed nobody waits for a slice more.
   */
  async readInGroup<T>(look: () => T): Promise<T> {
    const seen = this.read(look)
    if (!this.#pushing) await this.#machine.turn()
    return seen
  }

  /** Runs work as one step at this moment: all of it is kept, or nothing. */
  step<T>(work: () => T): T {
    this.#asked = true
    this.#catchUp()
    try {
      const done = this.#commit(work)
      // A clock that stands sees any number of steps at one moment, and each may make tasks due: none of it is a task's doing.
      this.#patience.reset()
      return done
    } finally {
      this.#wake()
    }
  }

  /** As `step`, kept by one commit with others that come at the same time. */
  stepInGroup<T>(work: () => T): Promise<T> {
    return this.#together.add(work)
  }

  /** Waits for the disk if something was kept without that. */
  #makeDurable(): void {
    if (!this.#isDurable) this.#commit(() => undefined)
  }

  /** One transaction with the time it leaves behind. */
  #commit<T>(work: () => T, isDurable = true): T {
    return this.#keep(() => {
      const done = work()
      // The clock may be ahead of a world that cannot keep up with it; what is kept belongs together.
      this.#world.recordClock({ ...this.#clock.record(), now: this.#world.now })
      this.#world.requests.flush()
      return done
    }, isDurable)
  }

  /** One transaction, told of when it is kept; when it fails, time and what is kept in memory are as they were. */
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

  /** Time never jumps over a due task: what is due runs first, as far as one slice goes. */
  #catchUp(): void {
    if (this.#pushing || this.#stopped) return
    this.#settleLate()
    const now = this.#clock.now()
    if (this.#runSlice(now)) this.#world.now = later(this.#world.now, now)
  }

  /**
   * Pushes time, everything due on the way included; the answer is how many events came of it. Where to is asked when
   * its turn has come, so that lengths add up. Refused with `service_unavailable` when the engine stops before the end,
   * or nobody wants it any more: then time stands where it has come to. With a condition, time stops at the task after
   * which it holds.
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
      // When the client is gone, what has begun is brought to its end, and time does not pass on.
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

  /** From now on attempts start at simulated times: those that wait for their turn too. */
  #takeOver(): PushedDeliveries {
    const world = this.#world
    const sender = this.#sender
    if (sender.hasStored()) this.#commit(() => sender.releaseStored())
    const options = { world, sender, machine: this.#machine, paced: this.#paced, onFailure: this.#onFailure }
    world.pushed = true
    return (this.#pushing = new PushedDeliveries(options, this.#outcomes.take()))
  }

  /** Attempts that a push leaves behind when it ends early go on by themselves. */
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

  /** Runs at most `most` tasks due at or before `until`, for one slice and in one transaction. True when none is left. */
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
      // What was done before the task that failed is done again, and kept.
      if (ran > 0 && ran < most && !(error instanceof StoreError)) this.#runSlice(until, lengthMs, ran)
      throw error
    }
    pushing?.kept()
    for (const effect of effects) this.#send(effect)
    return world.agenda.next(until) === null
  }

  /** Pushed time does not pass a moment at which a missing answer could change what happens. */
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

  /** The moment it is, be there a step in it or not: time that is pushed stands still between steps. */
  #moment(): Instant {
    const { now } = this.#world
    return this.#pushing || this.#stopped ? now : later(now, this.#clock.now())
  }

  #settleLate(): void {
    this.#outcomes.settleLate((settle) => this.#commit(settle))
  }

  /** Sleeps until the next appointment; while time is pushed, the push sees to it, and while the disk fails, its watch. */
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

  /** Changes how time passes from now on: a fast clock that the world does not keep up with goes back to what the world shows. */
  setClock(how: { speed?: number | undefined; paused?: boolean | undefined }): void {
    this.#catchUp()
    this.#alarm.cancel()
    try {
      this.#commit(() => this.#clock.set(how, this.#world.now))
    } finally {
      this.#wake()
    }
  }

  /** Puts another world in the place of this one; `work` says what its clock shows. Waits for an advance to end. */
  replaceWorld(work: () => ClockRecord): Promise<void> {
    return this.#inTurn(() => {
      this.#alarm.cancel()
      try {
        const record = this.#keep(() => {
          // Those not written yet are the old world's.
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
