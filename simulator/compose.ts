/** Wires the parts of a simulator together: engine, handlers, server. */
import type { Clock } from './kernel/clock.js'
import { instant } from './kernel/instant.js'
import type { SystemClock } from './kernel/system-clock.js'
import type { Engine } from './runtime/engine.js'
import { basePath, type Steps } from './http/api-routes.js'
import { controlHandlersFor } from './http/control/all.js'
import type { ControlContext } from './http/control/context.js'
import { isLocalHost } from './http/control/access.js'
import { InjectedFaults } from './http/control/injected-faults.js'
import { handlersFor } from './http/handlers/all.js'
import { preparationsFor } from './http/preparations.js'
import { RequestIds } from './http/request-ids.js'
import { Metrics } from './http/control/metrics.js'
import { RequestLog } from './http/control/request-log.js'
import { buildServer } from './http/server.js'
import { EventStreams } from './http/control/event-stream.js'
import type { Courier } from './webhooks/sender/courier.js'
import type { WebhookFaults } from './webhooks/webhook-faults.js'
import { Idempotency } from './http/idempotency.js'
import { Quotas } from './http/quotas.js'
import { SignedLinks } from './http/signed-links.js'
import { FolderSnapshots, MemorySnapshots } from './storage/snapshots.js'
import { inMemory } from './storage/store.js'
import type { World } from './model/world.js'
import { version } from './version.js'

/** Options of `startSimulator` that the server needs. */
interface ServerOptions {
  allowLocalWebhooks?: boolean
  allowHosts?: readonly string[]
  limits?: boolean
  speed?: number
  paused?: boolean
}

/** What runs behind the server. */
export interface Running {
  options: ServerOptions
  machine: SystemClock
  world: World
  clock: Clock
  courier: Courier
  webhookFaults: WebhookFaults
  engine: Engine
  host: string
  controlToken: string | null
  onFailure: (error: unknown) => void
  url: () => string
}

/** The engine's ways to run work, as the handlers get them. */
const stepsOf = (engine: Engine): Steps => ({
  read: (look) => engine.read(look),
  readInGroup: (look) => engine.readInGroup(look),
  step: (work) => engine.step(work),
  stepInGroup: (work) => engine.stepInGroup(work),
})

/** Builds the server and returns it with the parts that must be closed. */
export function assembleServer({
  options,
  machine,
  world,
  clock,
  courier,
  webhookFaults,
  engine,
  host,
  controlToken,
  onFailure,
  url,
}: Running) {
  const reach = { allowLocal: options.allowLocalWebhooks ?? false }
  const requestIds = new RequestIds(world)
  const quotas = new Quotas(options.limits ?? true, () => machine.now())
  const faults = new InjectedFaults(machine)
  const metrics = new Metrics()
  engine.subscribe(metrics.countChange)
  const log = new RequestLog(machine, basePath, metrics)
  const steps = stepsOf(engine)
  const streams = new EventStreams({ world, machine, watch: (listener) => engine.subscribe(listener) })
  const links = new SignedLinks(world, url)
  const { path } = world.store
  const context: ControlContext = {
    world,
    steps,
    clock,
    faults,
    webhookFaults,
    log,
    metrics,
    version,
    baseUrl: () => url() + basePath,
    advance: (target, isWanted, condition) => engine.advance(target, isWanted, condition),
    setClock: (how) => engine.setClock(how),
    pace: { speed: options.speed, paused: options.paused },
    isLocal: isLocalHost(host),
    machineNow: () => instant(machine.now()),
    replace: (work) => {
      faults.dropAll()
      return engine.replaceWorld(work)
    },
    quotas,
    requestIds,
    shelf: path === inMemory ? new MemorySnapshots() : new FolderSnapshots(`${path}.snapshots`),
  }
  const idempotency = new Idempotency(world)
  const handlers = handlersFor(reach, links)
  const preparations = preparationsFor(courier, reach)
  const access = { host, token: controlToken, allowHosts: options.allowHosts ?? [] }
  const server = buildServer({
    version,
    url,
    api: { world, steps, quotas, idempotency, requestIds, handlers, preparations, faults, log, onFailure },
    control: {
      access,
      handlers: controlHandlersFor(context),
      streams,
      requestIds,
      onFailure,
    },
    storage: { world, steps, links, requestIds, onFailure },
    access,
  })
  return { server, faults, streams }
}
