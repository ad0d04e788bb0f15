/** How objects are named on the wire: uuids in replies, bodies, queries and paths, and the kind of key that sees them. */
import { z } from 'zod'

/** An id in a reply. */
export const Id = z.uuid()

/**
 * An id in a body or a query. Any uuid-shaped text is taken, whatever its version and case: one that names nothing is
 * for the endpoint to say, and upper case is the same id.
 */
export const SentId = z.guid({ error: 'send an id as a UUID' }).toLowerCase()

/** An id in a path: malformed ids name nothing, so they are 404 and not 400. */
export const PathId = z.string().toLowerCase().meta({ description: 'The id of the object.', format: 'uuid' })

/** Path parameters of an endpoint that addresses one object. */
export const byId = z.object({ id: PathId })

const modes = ['live', 'test'] as const
export const Mode = z.enum(modes).meta({ id: 'Mode' })
export type Mode = z.output<typeof Mode>

/** On every reply: false for a test key, whose data is never real and never billed. */
export const livemode = z.boolean().meta({ description: 'False for test data: never real, never billed.' })
