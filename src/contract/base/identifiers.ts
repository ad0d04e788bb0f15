/** Ids in replies, bodies, queries and paths, and `livemode` (rules C5 and C6). */
import * as z from 'zod'

/** An id in a reply. */
export const Id = z.uuid()

/**
 * An id in a body or a query. Accepts any text in UUID form and makes it lower case. The endpoint reports unknown
 * ids.
 */
export const SentId = z.guid({ error: 'send an id as a UUID' }).toLowerCase()

/** An id in a path. A malformed id gives 404, like an unknown one, not 400. */
export const PathId = z.string().toLowerCase().meta({ description: 'The id of the object.', format: 'uuid' })

/** Path parameters of an endpoint that addresses one object. */
export const byId = z.object({ id: PathId })

const modes = ['live', 'test'] as const
export const Mode = z.enum(modes).meta({ id: 'Mode' })
export type Mode = z.output<typeof Mode>

/** Part of every object in a reply (rule C6). */
export const livemode = z.boolean().meta({ description: 'False for test data: never real, never billed.' })
