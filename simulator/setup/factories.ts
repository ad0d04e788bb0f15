/** Creates organizations, campaigns and keys with default values. Ids and secrets follow from the seed. */
import {
  duplicateWindowDays,
  lateAfterMinutes,
  newLeadsPerMinute,
  requestBurst,
  requestsPerMinute,
  simultaneousRequests,
} from '../../src/contract/limits.js'
import { permissions } from '../../src/contract/permissions.js'
import { legalHours } from '../../src/phone/windows.js'
import type { Campaign } from '../model/campaign.js'
import { modes, type ApiKey, type KeyLimits, type Mode } from '../model/api-key.js'
import type { Organization, MemberRole } from '../model/organization.js'
import type { World } from '../model/world.js'
import { newKeyPair } from '../model/new-secret.js'

const defaultLimits: KeyLimits = {
  concurrent_requests: simultaneousRequests,
  requests_per_minute: requestsPerMinute,
  burst: requestBurst,
  leads_per_minute: newLeadsPerMinute,
}

/** High enough for several keys at their full limit. */
const planRequestsPerMinute = 600

/** Ids that a world file uses. Generated ids must differ from them. */
export type UsedIds = ReadonlySet<string>
const none: UsedIds = new Set()

/** Returns the first generated value that is not taken, starting at number `n`. Ids of a world file may be taken. */
function findFree<T>(make: (n: number) => T, n: number, isTaken: (made: T) => boolean): T {
  const made = make(n)
  return isTaken(made) ? findFree(make, n + 1, isTaken) : made
}

export type OrganizationInput = Partial<Omit<Organization, 'n'>> & { name: string }
export type TeamInput = readonly { id?: string | undefined; name: string; role: MemberRole }[]

const defaultTeam: TeamInput = [
  { name: 'Dana Reyes', role: 'sdr' },
  { name: 'Chris Novak', role: 'closer' },
]

export function createOrganization(
  world: World,
  input: OrganizationInput,
  team = defaultTeam,
  taken = none,
): Organization {
  const { organizations, ids } = world
  const isTaken = (id: string) => taken.has(id) || organizations.byId(id) !== null
  const domain =
    input.name
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'organization'
  const organization = organizations.add({
    id: findFree((n) => ids.uuid('organization', n), organizations.all().length + 1, isTaken),
    time_zone: 'America/New_York',
    rate_usd_per_minute: 0.12,
    recording: true,
    admins: [`admin@${domain}.example`],
    requests_per_minute: planRequestsPerMinute,
    ...input,
  })
  for (const [i, { id, ...member }] of team.entries()) {
    organizations.addMember({
      id: id ?? ids.uuid(`member/${organization.n}`, i),
      organization: organization.n,
      ...member,
    })
  }
  return organization
}

export type CampaignInput = Partial<Omit<Campaign, 'n' | 'organization'>> & { name: string }

export function createCampaign(world: World, organization: number, input: CampaignInput, taken = none): Campaign {
  const { campaigns, ids, now } = world
  return campaigns.add({
    id: findFree(
      (n) => ids.uuid('campaign', n),
      campaigns.count() + 1,
      (id) => taken.has(id) || campaigns.has(id),
    ),
    organization,
    status: 'running',
    lines: 5,
    calling_hours: legalHours,
    any_hour: false,
    consent_required: true,
    call_now_default: false,
    late_after_minutes: lateAfterMinutes,
    duplicate_window_days: duplicateWindowDays,
    max_attempts: 6,
    retire_after_failures: 3,
    spend_cap_usd: null,
    spent_usd: 0,
    created: now,
    updated: now,
    ...input,
  })
}

export type KeyInput = Partial<Omit<ApiKey, 'n' | 'organization' | 'limits'>> & {
  mode: Mode
  limits?: Partial<KeyLimits>
}

export function createKey(world: World, organization: number, { limits, ...input }: KeyInput, taken = none): ApiKey {
  const { keys } = world
  const isTaken = ({ key_id, secret }: { key_id: string; secret: string }) =>
    [key_id, secret].some((word) => taken.has(word)) || keys.byId(key_id) !== null || keys.bySecret(secret) !== null
  return keys.add({
    ...findFree((n) => newKeyPair(world, input.mode, String(n)), keys.count() + 1, isTaken),
    organization,
    name: `${input.mode} key`,
    permissions: [...permissions],
    campaign_ids: null,
    status: 'active',
    expires_at: null,
    ...input,
    limits: { ...defaultLimits, ...limits },
  })
}

/**
 * Creates an organization that is ready to use: one running campaign without required consent, and a key of each mode.
 */
export function createReadyOrganization(world: World, input: OrganizationInput): Organization {
  const organization = createOrganization(world, input)
  createCampaign(world, organization.n, defaultCampaign)
  for (const mode of modes) createKey(world, organization.n, { mode })
  return organization
}

/** Running and without required consent, so it accepts leads at once. */
export const defaultCampaign = { name: 'Web leads', consent_required: false } as const satisfies CampaignInput

/** Creates the world that a simulator starts with when no world file is given. */
export function createDefaultWorld(world: World): void {
  createReadyOrganization(world, { name: 'Acme Home Services' })
}
