/** The body of endpoints that take none. */
import * as z from 'zod'

export const noParams = z.object({})
export const noQuery = z.object({})
/** No body, or an empty object. */
export const noBody = z.strictObject({}).optional()
