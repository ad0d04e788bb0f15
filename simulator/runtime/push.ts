/**
 * One push of simulated time: runs everything due on the way in slices, and waits for webhook receivers where their answer
 * matters. The engine runs the slices. Requests are answered between them.
 */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { justBefore, later, toIso, type Instant } from '../kernel/instant.js'
import type { AdvanceStop } from './advance-stops.js'
import type { Commits } from './commits.js'
import type { PendingEffects } from './pending-effects.js'
import { PushedDeliveries, type PushedDeliveriesOptions } from './pushed-deliveries.js'
import { sliceMs, type SharedLoop } from './shared-loop.js'

/** What a push uses of its engine. */
export interface PushOptions extends PushedDeliveriesOptions {
  /** Identifies the engine to the loop. */
  engine: object
  loop: SharedLoop
  commits: Commits
  pendingEffects: PendingEffects
  isStopped: () => boolean
  settleLate: () => void
  /** Runs tasks due at or before `until`, for one slice, in one transaction. */
  runSlice: (until: Instant, lengthMs: number) => void
  /** Sets clock and world to a time at which nothing is due. */
  arrive: (at: Instant) => void
}

export interface Course {
  to: Instant
  /** False when the client is gone. */
  isWanted: () => boolean
  stop: AdvanceStop
}

export class Push {
  readonly #options: PushOptions
  readonly #course: Course
  readonly from: Instant
  /** Attempts that start at simulated times. */
  readonly deliveries: PushedDeliveries
  /** Whether a request came during the last slice. */
  #hasRequest = false

  /** Begins a push: from now on attempts start at simulated times, also those that wait for a start now. */
  constructor(options: PushOptions, course: Course) {
    const { world, sender, commits, pendingEffects } = options
    this.#options = options
    this.#course = course
    this.from = world.now
    if (sender.hasStored()) commits.commit(() => sender.releaseStored())
    world.pushed = true
    this.deliveries = new PushedDeliveries(options, pendingEffects.take())
  }

  get to(): Instant {
    return this.#course.to
  }

  noteRequest(): void {
    this.#hasRequest = true
  }

  /** Whether time may go there: it does not pass a moment at which a missing answer could matter. */
  mayReach(at: Instant): boolean {
    return at <= this.#options.world.now || at <= this.deliveries.limit()
  }

  /**
   * Runs slices until time has arrived, the condition holds or the push is stopped.
   * @throws ApiError `service_unavailable` if the engine stops or the client is gone before that.
   */
  async run(): Promise<void> {
    const { deliveries } = this
    const { to, isWanted, stop } = this.#course
    const { world, engine, loop, commits, isStopped, settleLate, runSlice, arrive } = this.#options
    const goesOn = () => !isStopped() && (isWanted() || !deliveries.isIdle)
    const isAsked = () => this.#hasRequest || !deliveries.isIdle
    for (let slice = sliceMs; goesOn(); slice = loop.nextSliceMs(engine, slice, isAsked())) {
      this.#hasRequest = false
      if (stop.isStopped) return
      settleLate()
      const isReached = commits.condition?.isReached === true
      // When the client is gone, the attempts under way are settled, and time does not go further.
      const until = isReached ? justBefore(world.now) : isWanted() ? to : world.now
      runSlice(until, slice)
      const task = world.agenda.next(until)
      if (task && this.mayReach(task.at)) await loop.nextSlice(engine)
      else if (deliveries.isRunning) await Promise.race([deliveries.nextAnswer(), stop.stopped])
      else if (isReached) return commits.makeDurable()
      else if (!task && isWanted() && !commits.condition?.isReached) return arrive(later(world.now, to))
    }
    const why = isStopped() ? 'The simulator is closing' : 'The client disconnected'
    throw new ApiError('service_unavailable', `${why}. The clock was advanced to ${toIso(world.now)} only.`)
  }

  /** Ends the push. Returns the attempts it leaves if it ended early. */
  end(): ReturnType<PushedDeliveries['letGo']> {
    this.#options.world.pushed = false
    return this.deliveries.letGo()
  }
}
