/** The world: its organizations, and the reset to its start. */
import * as z from 'zod'
import { Role } from '../calls.js'
import { endpoint } from '../base/endpoint.js'
import { byId } from '../base/identifiers.js'
import { DateTimeInput } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { CampaignInWorld } from './campaigns.js'
import { Clock } from './clock.js'
import { Key } from './keys.js'

export const Organization = z
  .object({
    id: z.string(),
    name: z.string(),
    time_zone: z.string(),
    requests_per_minute: z.int().min(1),
    rate_usd_per_minute: z.number().min(0),
    recording: z.boolean(),
    admins: z.array(z.string()).meta({ description: 'E-mail addresses.' }),
    members: z.array(z.object({ id: z.string(), name: z.string(), role: Role })),
    campaigns: z.array(CampaignInWorld),
    keys: z.array(Key),
  })
  .meta({ id: 'Organization' })
export type Organization = z.output<typeof Organization>

export const World = z.object({ organizations: z.array(Organization) }).meta({ id: 'World' })
export type World = z.output<typeof World>

const name = z.string().min(1)

export const OrganizationSettings = z.strictObject({
  time_zone: z.string().optional().meta({ description: 'A name of the IANA time zone database.' }),
  requests_per_minute: z.int().min(1).optional(),
  rate_usd_per_minute: z.number().min(0).max(1_000_000).optional(),
  recording: z.boolean().optional(),
})
export type OrganizationSettings = z.output<typeof OrganizationSettings>

export const getWorld = endpoint({
  id: 'world.get',
  method: 'GET',
  path: '/_sim/world',
  summary: 'Read the organizations with their campaigns and keys',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(World) },
  refusals: [],
})

export const createOrganization = endpoint({
  id: 'organizations.create',
  method: 'POST',
  path: '/_sim/organizations',
  summary: 'Make an organization with one running campaign and a key of either mode',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: OrganizationSettings.extend({ name }),
  replies: { 201: dataReply(Organization) },
  refusals: [],
})

export const updateOrganization = endpoint({
  id: 'organizations.update',
  method: 'PATCH',
  path: '/_sim/organizations/{id}',
  summary: 'Change an organization',
  permissions: [],
  params: byId,
  query: noQuery,
  body: OrganizationSettings.extend({ name: name.optional() }),
  replies: { 200: dataReply(Organization) },
  refusals: [],
})

export const reset = endpoint({
  id: 'world.reset',
  method: 'POST',
  path: '/_sim/reset',
  summary: 'Go back to the starting world',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ seed: z.int().optional(), now: DateTimeInput.optional() }).prefault({}),
  replies: { 200: dataReply(Clock) },
  refusals: [],
})
