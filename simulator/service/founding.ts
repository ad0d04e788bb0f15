/** Organizations, campaigns and keys as they are made: with their defaults, and ids and secrets from the seed. */
import type { CallingHours } from '../../src/contract/calling-hours.js'
import {
  duplicateWindowDays,
  lateAfterMinutes,
  newLeadsPerMinute,
  requestBurst,
  requestsPerMinute,
  simultaneousRequests,
} from '../../src/contract/limits.js'
import { permissions } from '../../src/contract/permissions.js'
import type { Campaign } from '../world/campaign.js'
import { modes, type Key, type KeyLimits, type Mode } from '../world/key.js'
import type { OrganizationRecord } from '../world/organization.js'
import type { World } from '../world/world.js'
import { newKeyPair } from './secret.js'

const allDay: [string, string][] = [['08:00', '21:00']]

/** The widest hours the dialing rules allow, every day. */
const usualHours: CallingHours = { mon: allDay, tue: allDay, wed: allDay, thu: allDay, fri: allDay, sat: allDay, sun: allDay }

export const usualLimits: KeyLimits = {
  concurrent_requests: simultaneousRequests,
  requests_per_minute: requestsPerMinute,
  burst: requestBurst,
  leads_per_minute: newLeadsPerMinute,
}

/** A plan that several keys can use to the full. */
const planRequestsPerMinute = 600

export type OrganizationWords = Partial<Omit<OrganizationRecord, 'n' | 'id'>> & { name: string }

export function foundOrganization(world: World, words: OrganizationWords): OrganizationRecord {
  const { organizations, ids } = world
  const n = organizations.all().length + 1
  const domain = words.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'organization'
  const organization = organizations.add({
    id: ids.uuid('organization', n),
    time_zone: 'America/New_York',
    rate_usd_per_minute: 0.12,
    recording: true,
    admins: [`admin@${domain}.example`],
    requests_per_minute: planRequestsPerMinute,
    ...words,
  })
  const team = [
    { name: 'Dana Reyes', role: 'sdr' },
    { name: 'Chris Novak', role: 'closer' },
  ] as const
  for (const [i, member] of team.entries()) {
    organizations.addMember({ id: ids.uuid(`member/${organization.n}`, i), organization: organization.n, ...member })
  }
  return organization
}

export type CampaignWords = Partial<Omit<Campaign, 'n' | 'id' | 'organization' | 'created' | 'updated' | 'spent_usd'>> & { name: string }

export function foundCampaign(world: World, organization: number, words: CampaignWords): Campaign {
  const { campaigns, ids, now } = world
  return campaigns.add({
    id: ids.uuid('campaign', campaigns.count() + 1),
    organization,
    status: 'running',
    lines: 5,
    calling_hours: usualHours,
    any_hour: false,
    consent_required: true,
    call_now_default: false,
    late_after_minutes: lateAfterMinutes,
    duplicate_window_days: duplicateWindowDays,
    max_attempts: 6,
    retire_after_failures: 3,
    spend_cap_usd: null,
    ...words,
    spent_usd: 0,
    created: now,
    updated: now,
  })
}

export type KeyWords = Partial<Omit<Key, 'n' | 'key_id' | 'secret' | 'organization' | 'limits'>> & { mode: Mode; limits?: Partial<KeyLimits> }

export function foundKey(world: World, organization: number, { limits, ...words }: KeyWords): Key {
  const { keys } = world
  return keys.add({
    ...newKeyPair(world, words.mode, String(keys.count() + 1)),
    organization,
    name: `${words.mode} key`,
    permissions: [...permissions],
    campaign_ids: null,
    status: 'active',
    expires_at: null,
    ...words,
    limits: { ...usualLimits, ...limits },
  })
}

/** An organization ready to use: one running campaign that asks for no consent, and a key of either mode. */
export function foundReadyOrganization(world: World, words: OrganizationWords): OrganizationRecord {
  const organization = foundOrganization(world, words)
  foundCampaign(world, organization.n, { name: 'Web leads', consent_required: false })
  for (const mode of modes) foundKey(world, organization.n, { mode })
  return organization
}

/** The world a simulator starts with where no other is given. */
export function foundUsualWorld(world: World): void {
  foundReadyOrganization(world, { name: 'Acme Home Services' })
}
