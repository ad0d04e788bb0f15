/** Worlds: isolated simulators in one process, each with its own data, keys, seed and clock. */
import * as z from 'zod'
import { DateTime, DateTimeInput } from '../base/date-time.js'
import { endpoint } from '../base/endpoint.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { CampaignInWorld } from './campaigns.js'
import { Key } from './keys.js'

/** After this time without a request a world is deleted. */
export const worldIdleSeconds = 600
/** Maximum number of worlds besides the main one. */
export const worldsMax = 1_000

const description =
  'What the world begins with: `start` for the beginning of the main world, the id of a world to fork, or a snapshot of the main world.'
const NewSource = z.union([z.string(), z.strictObject({ snapshot: z.string() })]).meta({ description })
const WorldSource = z.union([z.string(), z.object({ snapshot: z.string() })]).meta({ description })
export type WorldSource = z.output<typeof WorldSource>

export const NewWorld = z.strictObject({
  name: z.string().max(100).optional().meta({ description: 'For people. It need not be unique.' }),
  from: NewSource.optional(),
  seed: z
    .int()
    .optional()
    .meta({ description: 'In a fork, existing ids stay and later call outcomes follow from it.' }),
  now: DateTimeInput.optional().meta({ description: 'Start time. Not for a fork, which keeps that of its source.' }),
  world: z.record(z.string(), z.unknown()).optional().meta({ description: 'The content of a world file.' }),
  paused: z.boolean().optional().meta({ description: 'True if left out: time moves only by advances.' }),
  speed: z.number().positive().optional(),
  endpoints: z.enum(['pause', 'keep']).optional().meta({
    description: 'Whether the webhook endpoints of a fork are paused (if left out) or stay as they are.',
  }),
  idle_ttl_seconds: z
    .int()
    .min(1)
    .max(31_536_000)
    .nullable()
    .optional()
    .meta({
      description: `Seconds without a request after which the world is deleted: ${worldIdleSeconds} if left out, null for never. By the system clock.`,
    }),
})
export type NewWorld = z.output<typeof NewWorld>

const id = z.string().meta({ description: 'The id in its path, `/w/{id}`. The main world is `main`.' })
const expires_at = DateTime.nullable().meta({ description: 'When it is deleted if it gets no request until then.' })

export const IsolatedWorld = z
  .object({
    id,
    name: z.string().nullable(),
    base_url: z.string().meta({ description: 'Base URL of its API.' }),
    control_url: z.string().meta({ description: 'Address of its control plane.' }),
    now: DateTime.meta({ description: 'What its clock shows.' }),
    seed: z.int(),
    from: WorldSource,
    campaigns: z.array(CampaignInWorld),
    keys: z.array(Key),
    expires_at,
  })
  .meta({ id: 'IsolatedWorld' })
export type IsolatedWorld = z.output<typeof IsolatedWorld>

export const WorldInList = z
  .object({
    id,
    name: z.string().nullable(),
    from: WorldSource,
    created: DateTime.meta({ description: 'By the system clock.' }),
    last_used: DateTime.meta({ description: 'Time of its last request, by the system clock.' }),
    leads: z.int(),
    calls: z.int(),
    memory_bytes: z.int().meta({ description: 'Size of its database in memory; 0 before its first request.' }),
    expires_at,
  })
  .meta({ id: 'WorldInList' })
export type WorldInList = z.output<typeof WorldInList>

const Record = z.record(z.string(), z.unknown())
const Difference = z
  .object({
    key: z.string().meta({ description: 'External id or phone number of the lead that both have in common.' }),
    a: Record.nullable().meta({ description: 'Null if only the other world has it.' }),
    b: Record.nullable(),
  })
  .meta({ id: 'WorldDifference' })
export type Difference = z.output<typeof Difference>

export const WorldDiff = z
  .object({
    identical: z.boolean(),
    first_event: z
      .object({
        index: z.int().meta({ description: 'Position in the log of events, from 0.' }),
        a: Record.nullable().meta({ description: 'Null if the log of this world is over.' }),
        b: Record.nullable(),
      })
      .nullable(),
    leads: z.array(Difference),
    calls: z.array(Difference),
    deliveries: z.array(Difference),
  })
  .meta({ id: 'WorldDiff' })
export type WorldDiff = z.output<typeof WorldDiff>

export const createWorld = endpoint({
  id: 'worlds.create',
  method: 'POST',
  path: '/_sim/worlds',
  summary: 'Create an isolated world, or fork one',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: NewWorld.prefault({}),
  replies: { 201: dataReply(IsolatedWorld) },
  refusals: ['limit_reached', 'not_found'],
  statuses: { limit_reached: 429 },
})

export const listWorlds = endpoint({
  id: 'worlds.list',
  method: 'GET',
  path: '/_sim/worlds',
  summary: 'List the worlds, the main one first',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: z.object({ data: z.array(WorldInList) }) },
  refusals: ['not_found'],
})

export const deleteWorld = endpoint({
  id: 'worlds.delete',
  method: 'DELETE',
  path: '/_sim/worlds/{id}',
  summary: 'Delete a world. Its requests and streams end',
  permissions: [],
  params: z.object({ id: z.string() }),
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(z.object({ id, deleted: z.literal(true) })) },
  refusals: ['not_found'],
  statuses: { invalid_request: 409 },
})

export const diffWorlds = endpoint({
  id: 'worlds.diff',
  method: 'GET',
  path: '/_sim/worlds/{a}/diff/{b}',
  summary: 'Compare two worlds',
  permissions: [],
  params: z.object({ a: z.string(), b: z.string() }),
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(WorldDiff) },
  refusals: ['not_found'],
})
