/** The engine: takes the next due task, sets the clock to its time, runs it, and applies the results of effects as steps. */
import { Alarm } from '../kernel/alarm.js'
import type { Clock, ClockRecord } from '../kernel/clock.js'
import { after, days, earlier, later, type Instant } from '../kernel/instant.js'
import type { SystemClock } from '../kernel/system-clock.js'
import { Commits } from './commits.js'
import { StepLimit } from './step-limit.js'
import { DiskRetry, ignoreDiskFailure } from './disk-retry.js'
import type { EngineOptions } from './engine-options.js'
import { Listeners, type Listener } from './listeners.js'
import { PendingEffects } from './pending-effects.js'
import { AdvanceStops } from './advance-stops.js'
import { Push, type PushOptions } from './push.js'
import type { AwaitedAttempt } from './pushed-deliveries.js'
import type { Sender } from './sender.js'
import { SharedLoop, sliceMs } from './shared-loop.js'
import type { StopCondition } from '../model/stop-condition.js'
import { runTask } from './tasks.js'
import { GroupCommit } from './group-commit.js'
import type { Appointment } from '../model/agenda.js'
import { inMemory } from '../storage/store.js'
import { StoreError } from '../storage/store-error.js'
import type { Task, Effect } from '../model/task.js'
import type { World } from '../model/world.js'

/**
 * Simulated time that one transaction passes at most. Observers read events after their commit, which must be before
 * retention deletes them.
 */
const longestSlice = days(1)

/** The result of an advance. */
export interface Advanced {
  /** How many events happened. */
  events: number
  /** Whether it was stopped before its end. */
  isStopped: boolean
}

export class Engine {
  readonly #world: World
  readonly #clock: Clock
  readonly #systemClock: SystemClock
  readonly #sender: Sender
  readonly #run: (world: World, task: Task) => Effect | null
  readonly #onFailure: (error: unknown) => void
  readonly #stepLimit: StepLimit
  readonly #alarm: Alarm
  readonly #listeners: Listeners
  /** Attempts made while time passes by itself. Each is settled when its answer comes. */
  readonly #pendingEffects: PendingEffects
  readonly #diskRetry: DiskRetry
  readonly #commits: Commits
  readonly #loop: SharedLoop
  /** The end of the last advance or replacement. They run one after the other. */
  #lastTurn: Promise<unknown> = Promise.resolve()
  /** The push under way; null when no time is pushed. */
  #push: Push | null = null
  readonly #pushOptions: PushOptions
  /** Advances that are under way or wait, and the end of those that were stopped. */
  readonly #stops = new AdvanceStops()
  #stopped = true
  readonly #groupCommit: GroupCommit
  readonly #readInput = () => this.#loop.pendingInput(this, this.#world.store.path !== inMemory)

  constructor({
    world,
    clock,
    machine,
    sender,
    paced = true,
    onFailure,
    run = runTask,
    loop = new SharedLoop(machine),
    stepsPerInstantMax = 100_000,
  }: EngineOptions) {
    this.#world = world
    this.#clock = clock
    this.#systemClock = machine
    this.#sender = sender
    this.#run = run
    this.#onFailure = onFailure
    this.#loop = loop
    this.#stepLimit = new StepLimit(stepsPerInstantMax)
    this.#groupCommit = new GroupCommit(
      () => this.#readInput(),
      world,
      (work) => this.step(work),
    )
    this.#alarm = new Alarm(clock, machine, () => this.#tick())
    this.#pendingEffects = new PendingEffects({ step: (settle) => this.step(settle), onFailure })
    this.#listeners = new Listeners(world, onFailure)
    // Writes over what a failed commit may have left in the file, then continues.
    const ask = () => (this.#commits.commit(() => undefined), this.#tick())
    this.#diskRetry = new DiskRetry({ machine, onFailure, ask })
    this.#commits = new Commits({ world, clock, machine, listeners: this.#listeners, diskRetry: this.#diskRetry })
    this.#pushOptions = {
      ...{ world, sender, machine, paced, onFailure, loop },
      engine: this,
      commits: this.#commits,
      pendingEffects: this.#pendingEffects,
      isStopped: () => this.#stopped,
      settleLate: () => this.#settleLate(),
      runSlice: (until, lengthMs) => this.#runSlice(until, lengthMs),
      arrive: (at) => this.#arrive(at),
    }
    world.now = clock.now()
  }

  /** From now on tasks run when they fall due. Tasks that fell due before run at once, in order. */
  start(): void {
    this.#stopped = false
    this.#wake()
  }

  /**
   * Stops time where it is, during an advance too, and waits for the effects under way. The sender must end them; their
   * results are not applied any more.
   */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#alarm.cancel()
    await this.#lastTurn
    await this.#pendingEffects.waitForAll()
    // Everything acknowledged was committed before.
    ignoreDiskFailure(() => this.#commits.commit(() => undefined))
    this.#diskRetry.stop()
  }

  /** Calls the listener with everything that happens, once it is committed. Returns a function that removes it. */
  subscribe(listener: Listener): () => void {
    return this.#listeners.add(listener)
  }

  /** Reads at this moment, after all tasks due before it. While the disk fails, reads the last committed state. */
  read<T>(look: () => T): T {
    this.#noteRequest()
    ignoreDiskFailure(() => (this.#catchUp(), this.#commits.makeDurable()))
    return look()
  }

  /**
   * Like `read`, but resolves after all pending input was read. Answers that leave together wake their client once, and
   * waking it is half the cost of a small answer. During a push, a read does not wait for another slice.
   */
  async readInGroup<T>(look: () => T): Promise<T> {
    const seen = this.read(look)
    if (!this.#push) await this.#readInput()
    return seen
  }

  /** Runs work as one step at this moment: all of it is committed, or nothing. */
  step<T>(work: () => T): T {
    this.#noteRequest()
    this.#catchUp()
    try {
      const done = this.#commits.commit(work)
      // While the clock stands still, any number of steps may come at one instant. Only tasks count toward the limit.
      this.#stepLimit.reset()
      return done
    } finally {
      this.#wake()
    }
  }

  /** Like `step`, in one commit with others that arrive at the same time. */
  stepInGroup<T>(work: () => T): Promise<T> {
    return this.#groupCommit.add(work)
  }

  #noteRequest(): void {
    this.#push?.noteRequest()
    this.#loop.noteRequest(this)
  }

  /** Runs the due tasks first, for at most one slice. Time never jumps over a due task. */
  #catchUp(): void {
    if (this.#push || this.#stopped) return
    this.#settleLate()
    const now = this.#clock.now()
    const end = this.#systemClock.monotonic() + sliceMs
    let isDone = false
    do isDone = this.#runSlice(now)
    while (!isDone && this.#systemClock.monotonic() < end)
    if (isDone) this.#world.now = later(this.#world.now, now)
  }

  /**
   * Pushes time and runs everything due on the way. `target` is called when earlier
   * advances have ended, so that their lengths add up. With a condition, time stops at the task after which it holds.
   * @throws ApiError `service_unavailable` if the engine stops or the client is gone before the end. Time then stands
   * where it has come to.
   */
  advance(
    target: (now: Instant) => Instant,
    isWanted = () => true,
    condition: () => StopCondition | null = () => null,
  ): Promise<Advanced> {
    const stop = this.#stops.open()
    return this.#inTurn(async () => {
      if (stop.isStopped) return { events: 0, isStopped: true }
      const before = this.#world.eventsSoFar
      const to = target(this.read(() => this.#world.now))
      this.#commits.beginPush(condition())
      this.#alarm.cancel()
      try {
        this.#push = new Push(this.#pushOptions, { to, isWanted, stop })
        await this.#push.run()
      } finally {
        ignoreDiskFailure(() => this.#commits.makeDurable())
        this.#endPush()
        this.#commits.condition = null
        this.#wake()
      }
      return { events: this.#world.eventsSoFar - before, isStopped: stop.isStopped }
    }).finally(() => this.#stops.close(stop))
  }

  /** Ends every advance that is under way or waits. Time stands where it has come to. Returns how many there were. */
  stopAdvances(): number {
    return this.#stops.stopAll()
  }

  /** The push under way, or null. */
  get currentPush(): { from: Instant; to: Instant; unanswered: AwaitedAttempt[] } | null {
    const push = this.#push
    return push && { from: push.from, to: push.to, unanswered: push.deliveries.unanswered() }
  }

  /**
   * Reads the last committed state without running due tasks. For reports that are made often: they must not slow a push
   * down.
   */
  glance<T>(look: (now: Instant) => T): T {
    return look(this.#moment())
  }

  /** If a push ended early, the attempts it leaves continue as attempts of time that passes by itself. */
  #endPush(): void {
    const push = this.#push
    this.#push = null
    const { running = [], waiting = [] } = push?.end() ?? {}
    for (const one of running) this.#pendingEffects.settleWhenDone({ ...one, isWanted: this.#whileItLasts() })
    if (!this.#stopped) for (const effect of waiting) this.#send(effect)
  }

  #whileItLasts(): () => boolean {
    const { generation } = this.#world
    return () => !this.#stopped && generation === this.#world.generation
  }

  #arrive(at: Instant): void {
    this.#commits.commit(() => {
      this.#clock.advanceTo(at)
      this.#world.now = at
    })
  }

  #inTurn<T>(work: () => T | Promise<T>): Promise<T> {
    const done = this.#lastTurn.then(work)
    this.#lastTurn = done.catch(() => undefined)
    return done
  }

  /** Runs at most `most` tasks due at or before `until`, for one slice, in one transaction. Returns whether none is left. */
  #runSlice(until: Instant, lengthMs = sliceMs, most = Infinity): boolean {
    const world = this.#world
    const push = this.#push
    const pushed = push?.deliveries
    const effects: Effect[] = []
    const takeCountBack = this.#stepLimit.savepoint()
    const end = this.#systemClock.monotonic() + lengthMs
    const first = world.agenda.next(until)
    if (!first && (pushed?.isIdle ?? true)) return true
    const furthest = earlier(until, after(first?.at ?? until, longestSlice))
    let ran = 0
    try {
      this.#commits[pushed ? 'commitPushed' : 'commit'](() => {
        pushed?.pass(until)
        let next = world.agenda.next(furthest)
        for (; next && ran < most && (push?.mayReach(next.at) ?? true); next = world.agenda.next(furthest)) {
          const effect = this.#runTask(next)
          ran++
          if (effect && pushed) pushed.add(effect)
          else if (effect) effects.push(effect)
          if (this.#commits.condition?.look() || this.#systemClock.monotonic() > end) break
        }
        pushed?.pass(until)
        this.#clock.advanceTo(world.now)
      })
    } catch (error) {
      takeCountBack()
      pushed?.takeBack()
      // The tasks before the one that failed run again and are committed.
      if (ran > 0 && ran < most && !(error instanceof StoreError)) this.#runSlice(until, lengthMs, ran)
      throw error
    }
    pushed?.kept()
    for (const effect of effects) this.#send(effect)
    return world.agenda.next(until) === null
  }

  #runTask(appointment: Appointment): Effect | null {
    const world = this.#world
    world.now = later(world.now, appointment.at)
    this.#stepLimit.check(world, appointment)
    world.agenda.remove(appointment)
    return this.#run(world, appointment.task)
  }

  #send(effect: Effect): void {
    const isWanted = this.#whileItLasts()
    const attempt = this.#sender.live(effect, { isWanted, now: () => this.#moment() })
    this.#pendingEffects.settleWhenDone({ effect, ...attempt, isWanted })
  }

  /** The current time, also between steps. Pushed time stands still between steps. */
  #moment(): Instant {
    const { now } = this.#world
    return this.#push || this.#stopped ? now : later(now, this.#clock.now())
  }

  #settleLate(): void {
    this.#pendingEffects.settleLate((settle) => this.#commits.commit(settle))
  }

  /** Sets the alarm for the next appointment. During a push and while the disk fails, no alarm is needed. */
  #wake(): void {
    if (!this.#stopped && !this.#push && !this.#diskRetry.fails) this.#alarm.set(this.#world.agenda.next()?.at ?? null)
  }

  #tick(): void {
    try {
      ignoreDiskFailure(() => this.#catchUp())
      this.#wake()
    } catch (error) {
      this.#onFailure(error)
    }
  }

  /** Changes how time passes from now on. A clock that is ahead of its world goes back to the world's time. */
  setClock(how: { speed?: number | undefined; paused?: boolean | undefined }): void {
    this.#catchUp()
    this.#alarm.cancel()
    try {
      this.#commits.commit(() => this.#clock.set(how, this.#world.now))
    } finally {
      this.#wake()
    }
  }

  /** Replaces the world. `work` loads the new one and returns its clock. Waits for an advance to end. */
  replaceWorld(work: () => ClockRecord): Promise<void> {
    return this.#inTurn(() => {
      this.#alarm.cancel()
      try {
        const record = this.#commits.run(() => {
          // Counts that are not written yet belong to the old world.
          this.#world.requests.flush()
          const begins = work()
          this.#world.recordClock({ ...begins, offset: begins.now - this.#systemClock.now() })
          return begins
        })
        this.#world.generation++
        this.#pendingEffects.clear()
        this.#stepLimit.reset()
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
