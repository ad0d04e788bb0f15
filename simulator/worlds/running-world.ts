/** A world that runs: its engine, its webhooks, and what serves its requests. */
import type { Clock } from '../kernel/clock.js'
import { instant } from '../kernel/instant.js'
import type { SystemClock } from '../kernel/system-clock.js'
import { Engine } from '../runtime/engine.js'
import { senderBy } from '../runtime/webhook-sender.js'
import type { SharedLoop } from '../runtime/shared-loop.js'
import { basePath, type Steps } from '../http/api-routes.js'
import { controlHandlersFor } from '../http/control/all.js'
import type { ControlContext } from '../http/control/context.js'
import type { WorldRegistry } from '../http/control/world-registry.js'
import { isLocalHost } from '../http/control/access.js'
import { DropConnection, InjectedFaults } from '../http/control/faults/injected-faults.js'
import { handlersFor } from '../http/handlers/all.js'
import { preparationsFor } from '../http/preparations.js'
import { RequestIds } from '../http/request-ids.js'
import { Metrics } from '../http/control/metrics/metrics.js'
import { RequestLog } from '../http/control/request-log.js'
import { Pulses } from '../http/control/console/pulse.js'
import { EventStreams } from '../http/control/event-stream.js'
import { Courier } from '../webhooks/sender/courier.js'
import { WebhookFaults } from '../webhooks/webhook-faults.js'
import { Idempotency } from '../http/idempotency.js'
import { Quotas } from '../http/quotas.js'
import { SignedLinks } from '../http/signed-links.js'
import type { Served } from '../http/server.js'
import type { SnapshotStore } from '../storage/snapshots.js'
import { resetFork, resetWorld, resumeWorld } from '../setup/reset.js'
import type { World } from '../model/world.js'
import { version } from '../version.js'

/** Settings that apply to every world of a simulator. */
export interface RunSettings {
  machine: SystemClock
  host: string
  allowLocalWebhooks: boolean
  nameServers?: readonly string[] | undefined
  webhookTimeoutMs?: number | undefined
  /** False turns off rate limits, concurrency limits and webhook pacing. */
  limits: boolean
  onFailure: (error: unknown) => void
  loop: SharedLoop
}

/** What is special to one world. */
export interface RunOptions {
  id: string
  world: World
  clock: Clock
  /** Speed and pause of this run. A reset returns to them. */
  pace: ControlContext['pace']
  /** Address of the world, without the path of the API. */
  url: () => string
  shelf: SnapshotStore
  /** The isolated worlds; null in one of them. */
  worlds: WorldRegistry | null
  /** What a fork began from. */
  fork?: Parameters<typeof resetFork>[1] | undefined
}

export interface RunningWorld extends Served {
  readonly world: World
  readonly clock: Clock
  readonly engine: Engine
  /** Resumes interrupted deliveries and lets time pass. */
  start(): void
  /** Whether time is pushed or a stream is open. */
  isBusy(): boolean
  /** Stops time and deliveries, and ends streams and requests that wait. The store stays open. */
  stop(): Promise<void>
}

/** The engine's ways to run work, as the handlers get them. */
const stepsOf = (engine: Engine, checkRuns: () => void): Steps => ({
  read: (look) => (checkRuns(), engine.read(look)),
  readInGroup: (look) => engine.readInGroup(() => (checkRuns(), look())),
  step: (work) => (checkRuns(), engine.step(work)),
  stepInGroup: (work) => engine.stepInGroup(() => (checkRuns(), work())),
})

/** The engine's ways to move time and to watch it, as the control API gets them. */
const timeOf = (
  engine: Engine,
): Pick<ControlContext, 'advance' | 'stopAdvances' | 'currentPush' | 'glance' | 'watch' | 'setClock'> => ({
  advance: (target, isWanted, condition) => engine.advance(target, isWanted, condition),
  stopAdvances: () => engine.stopAdvances(),
  currentPush: () => engine.currentPush,
  glance: (look) => engine.glance(look),
  watch: (listener) => engine.subscribe(listener),
  setClock: (how) => engine.setClock(how),
})

function courierOf({ machine, host, allowLocalWebhooks, nameServers, webhookTimeoutMs, limits }: RunSettings): Courier {
  return new Courier({
    machine,
    allowLocal: allowLocalWebhooks,
    hideLocalAnswers: !isLocalHost(host),
    paced: limits,
    ...(nameServers && { nameServers }),
    ...(webhookTimeoutMs !== undefined && { answerWithinMs: webhookTimeoutMs }),
  })
}

/** How the control API replaces the content of a world. */
const resetsOf = (
  { world, fork }: RunOptions,
  { machine }: RunSettings,
  engine: Engine,
  faults: InjectedFaults,
): Pick<ControlContext, 'replace' | 'beginAgain'> => ({
  replace: (work) => {
    faults.dropAll()
    return engine.replaceWorld(work)
  },
  beginAgain: (changes) =>
    fork ? resetFork(world, fork, changes) : resetWorld(world, changes, instant(machine.now())),
})

/** Assembles the parts of a world. */
export function assembleWorld(settings: RunSettings, options: RunOptions): RunningWorld {
  const { id, world, clock, pace, url, shelf, worlds } = options
  const { machine, host, allowLocalWebhooks, limits, onFailure, loop } = settings
  const courier = courierOf(settings)
  const webhookFaults = new WebhookFaults(world)
  const sender = senderBy(courier, world, webhookFaults)
  const engine = new Engine({ world, clock, machine, sender, paced: limits, onFailure, loop })
  const reach = { allowLocal: allowLocalWebhooks }
  const requestIds = new RequestIds(world)
  const quotas = new Quotas(limits, () => machine.now())
  const faults = new InjectedFaults(machine)
  const metrics = new Metrics()
  engine.subscribe(metrics.countChange)
  const log = new RequestLog(machine, basePath, metrics)
  const streams = new EventStreams({ world, machine, watch: (listener) => engine.subscribe(listener) })
  const links = new SignedLinks(world, url)
  let hasEnded = false
  const checkRuns = () => {
    if (hasEnded) throw new DropConnection()
  }
  const common = { world, steps: stepsOf(engine, checkRuns), requestIds, onFailure }
  const handlers = handlersFor(reach, links)
  const preparations = preparationsFor(courier, reach)
  const context: ControlContext = {
    ...common,
    ...timeOf(engine),
    ...resetsOf(options, settings, engine, faults),
    ...{ quotas, faults, log, clock, webhookFaults, metrics, version, machine, pace, worlds, shelf },
    baseUrl: () => url() + basePath,
    allowsLocalWebhooks: allowLocalWebhooks,
    run: String(machine.now()),
    api: { handlers, preparations },
    isLocal: isLocalHost(host),
    machineNow: () => instant(machine.now()),
  }
  const pulses = new Pulses(context)
  const idempotency = new Idempotency(world)
  return {
    id,
    url,
    world,
    clock,
    engine,
    api: { ...common, quotas, faults, log, idempotency, handlers, preparations },
    control: { ...common, handlers: controlHandlersFor(context), streams, pulses },
    storage: { ...common, links },
    start: () => {
      engine.step(() => resumeWorld(world))
      engine.start()
    },
    isBusy: () => engine.currentPush !== null || streams.isOpen || pulses.isOpen,
    stop: async () => {
      const stopped = engine.stop()
      await courier.close()
      await stopped
      hasEnded = true
      faults.dropAll()
      streams.close()
      pulses.close()
    },
  }
}
