/** What the handlers of the control API work with. */
import type { Clock, ClockRecord } from '../../kernel/clock.js'
import type { Instant } from '../../kernel/instant.js'
import type { SystemClock } from '../../kernel/system-clock.js'
import type { Effect } from '../../model/task.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import type { Campaign } from '../../model/campaign.js'
import { modes, type Mode } from '../../model/api-key.js'
import { tenantNumberOf, type Organization } from '../../model/organization.js'
import type { Notification, Tenant, World } from '../../model/world.js'
import type { Handlers } from '../handler.js'
import type { Preparations } from '../preparations.js'
import type { StopCondition } from '../../model/stop-condition.js'
import type { Quotas } from '../quotas.js'
import type { SnapshotStore } from '../../storage/snapshots.js'
import type { Steps } from '../api-routes.js'
import type { WebhookFaults } from '../../webhooks/webhook-faults.js'
import type { InjectedFaults } from './faults/injected-faults.js'
import type { RequestIds } from '../request-ids.js'
import type { Metrics } from './metrics/metrics.js'
import type { WorldRegistry } from './world-registry.js'
import type { ResetOptions } from '../../setup/reset.js'
import type { RequestLog } from './request-log.js'

/** The result of an advance. */
export interface Advanced {
  /** How many events happened. */
  events: number
  /** Whether it was stopped before its end. */
  isStopped: boolean
}

/** An advance that is under way. */
export interface PushUnderWay {
  from: Instant
  to: Instant
  /** Webhook attempts without an answer, with the time since they were sent. */
  unanswered: readonly { effect: Effect; ms: number }[]
}

export interface ControlContext {
  world: World
  steps: Steps
  clock: Clock
  faults: InjectedFaults
  webhookFaults: WebhookFaults
  log: RequestLog
  metrics: Metrics
  version: string
  baseUrl: () => string
  /** True if webhooks may go to http: addresses and to this machine. */
  allowsLocalWebhooks: boolean
  /**
   * Advances time to `target` once earlier advances are done, as long as `isWanted`.
   * `condition` is also created then; time stops after the task that meets it.
   */
  advance: (
    target: (now: Instant) => Instant,
    isWanted: () => boolean,
    condition?: () => StopCondition | null,
  ) => Promise<Advanced>
  /** Stops every advance that is under way or waits, and returns how many there were. */
  stopAdvances: () => number
  /** The advance under way. */
  currentPush: () => PushUnderWay | null
  /** Reads the last committed state without running due tasks. */
  glance: <T>(look: (now: Instant) => T) => T
  /** Subscribes to all notices. Returns the function that unsubscribes. */
  watch: (listener: (notice: Notification) => void) => () => void
  machine: SystemClock
  /** Names this run of the program. */
  run: string
  /** The handlers of the API, for endpoints that the control plane also offers. */
  api: { handlers: Handlers; preparations: Preparations }
  /** Changes the speed of the clock, or pauses it. */
  setClock: (how: { speed?: number | undefined; paused?: boolean | undefined }) => void
  /** Clock settings of this run. A reset returns to them. */
  pace: { speed: number | undefined; paused: boolean | undefined }
  /** Whether only this machine can reach the simulator. */
  isLocal: boolean
  /** System time. */
  machineNow: () => Instant
  /** Replaces the world. `work` does it and returns the clock of the new world. */
  replace: (work: () => ClockRecord) => Promise<void>
  quotas: Quotas
  requestIds: RequestIds
  /** Puts the world back to its beginning, with these changes. Returns the clock. Runs inside `replace`. */
  beginAgain: (changes: ResetOptions) => ClockRecord
  /** The isolated worlds. Only the main world manages them. */
  worlds: WorldRegistry | null
  /** The saved snapshots. */
  shelf: SnapshotStore
}

/** The organization with this id, or the first one. */
export function organizationFor({ world }: ControlContext, id: string | undefined): Organization {
  const found = id === undefined ? world.organizations.all()[0] : world.organizations.byId(id)
  if (!found) throw new ApiError('not_found', 'There is no such organization.', { param: 'organization_id' })
  return found
}

/** The tenant of that organization and mode. */
export function tenantNamed(
  context: ControlContext,
  whose: { organization_id?: string | undefined; mode: Mode },
): Tenant {
  return context.world.tenant(tenantNumberOf(organizationFor(context, whose.organization_id).n, whose.mode))
}

/** The campaign with this id, in every organization or in the given one. */
export function campaignNamed(
  context: ControlContext,
  id: string,
  { organization_id, param = null }: { organization_id?: string | undefined; param?: string | null } = {},
): Campaign {
  const { organizations, campaigns } = context.world
  const owners = organization_id === undefined ? organizations.all() : [organizationFor(context, organization_id)]
  for (const { n } of owners) {
    const campaign = campaigns.byId(n, id)
    if (campaign) return campaign
  }
  throw new ApiError('not_found', 'There is no such campaign.', { param })
}

/** Finds a row by id in every tenant. Ids are unique. */
export function inAnyTenant<Row>(
  { world }: Pick<ControlContext, 'world'>,
  what: string,
  find: (tenant: Tenant) => Row | null,
) {
  for (const { n } of world.organizations.all()) {
    for (const mode of modes) {
      const tenant = world.tenant(tenantNumberOf(n, mode))
      const row = find(tenant)
      if (row !== null) return { tenant, row }
    }
  }
  throw new ApiError('not_found', `There is no such ${what}.`)
}
