/** What the handlers of the control plane work with. */
import type { Clock, ClockRecord } from '../../kernel/clock.js'
import type { Instant } from '../../kernel/instant.js'
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import type { Campaign } from '../../model/campaign.js'
import { modes, type Mode } from '../../model/api-key.js'
import { tenantNumberOf, type Organization } from '../../model/organization.js'
import type { Tenant, World } from '../../model/world.js'
import type { StopCondition } from '../../model/stop-condition.js'
import type { Quotas } from '../quotas.js'
import type { SnapshotStore } from '../../storage/snapshots.js'
import type { Steps } from '../api-routes.js'
import type { InjectedFaults } from './injected-faults.js'
import type { RequestIds } from '../request-ids.js'
import type { RequestLog } from './request-log.js'

export interface ControlContext {
  world: World
  steps: Steps
  clock: Clock
  faults: InjectedFaults
  log: RequestLog
  version: string
  baseUrl: () => string
  /**
   * Pushes time to the moment `target` names when its turn has come, as long as that is wanted; the answer is how many
   * events came of it. A condition, made when the turn has come too, stops time at the task after which it holds.
   */
  advance: (
    target: (now: Instant) => Instant,
    isWanted: () => boolean,
    condition?: () => StopCondition | null,
  ) => Promise<number>
  /** The clock runs differently from now on. */
  setClock: (how: { speed?: number | undefined; paused?: boolean | undefined }) => void
  /** How this run was told to let time pass: a world that is put back to its start follows that. */
  pace: { speed: number | undefined; paused: boolean | undefined }
  /** Whether only this machine can reach the simulator. */
  isLocal: boolean
  machineNow: () => Instant
  /** Puts another world in the place of this one; `work` says what its clock shows. */
  replace: (work: () => ClockRecord) => Promise<void>
  quotas: Quotas
  requestIds: RequestIds
  shelf: SnapshotStore
}

/** The organization a route is about: the one named, or the world's first. */
export function organizationFor({ world }: ControlContext, id: string | undefined): Organization {
  const found = id === undefined ? world.organizations.all()[0] : world.organizations.byId(id)
  if (!found) throw new ApiError('not_found', 'There is no such organization.', { param: 'organization_id' })
  return found
}

/** That organization in a mode. */
export function tenantNamed(
  plane: ControlContext,
  whose: { organization_id?: string | undefined; mode: Mode },
): Tenant {
  return plane.world.tenant(tenantNumberOf(organizationFor(plane, whose.organization_id).n, whose.mode))
}

/** A campaign of whichever organization has it, or of one alone. */
export function campaignNamed(
  plane: ControlContext,
  id: string,
  { organization_id, param = null }: { organization_id?: string | undefined; param?: string | null } = {},
): Campaign {
  const { organizations, campaigns } = plane.world
  const owners = organization_id === undefined ? organizations.all() : [organizationFor(plane, organization_id)]
  for (const { n } of owners) {
    const campaign = campaigns.byId(n, id)
    if (campaign) return campaign
  }
  throw new ApiError('not_found', 'There is no such campaign.', { param })
}

/** A row addressed by its id alone: the id proves whose it is. */
export function inAnyTenant<Row>(
  { world }: Pick<ControlContext, 'world'>,
  what: string,
  find: (organization: Tenant) => Row | null,
) {
  for (const { n } of world.organizations.all()) {
    for (const mode of modes) {
      const organization = world.tenant(tenantNumberOf(n, mode))
      const row = find(organization)
      if (row !== null) return { organization, row }
    }
  }
  throw new ApiError('not_found', `There is no such ${what}.`)
}
