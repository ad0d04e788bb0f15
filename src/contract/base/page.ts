/** Reply envelopes, and the query parameters of paged lists (rules C3, P1 and P3). */
import * as z from 'zod'
import { SentId } from './identifiers.js'
import { pageSizeMax } from '../limits.js'

/** `{ data: <object> }` */
export const dataReply = <T extends z.ZodType>(item: T) => z.object({ data: item })

export const PageMeta = z
  .object({
    next_cursor: z.string().nullable().meta({ description: 'Pass it on for the next page; null on the last one.' }),
    has_more: z.boolean(),
  })
  .meta({ id: 'PageMeta' })
export type PageMeta = z.output<typeof PageMeta>

/** `{ data: [...], meta }`, newest first. */
export const pageReply = <T extends z.ZodType>(item: T) => z.object({ data: z.array(item), meta: PageMeta })

/** The `limit` parameter, with its default and its maximum. */
export const limit = (usual: number, most: number = pageSizeMax) =>
  z.int().min(1).max(most).default(usual).meta({ description: 'How many items at most.' })

/** The `starting_after` parameter (rule P1). */
export const startingAfter = SentId.optional().meta({ description: 'The id of the last item of the page before.' })
