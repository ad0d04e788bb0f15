/** Query parameters of a request, with numbers converted as the endpoint's schema says. */
import type { z } from 'zod'
import type { Endpoint } from './base/endpoint.js'
import { ApiError } from './errors/error-codes.js'

/** A query as text. A repeated parameter is a list. */
export type QueryTexts = Record<string, string | string[]>

/** Query parameters that the endpoint does not know. The API ignores them (rule C8); the request log names them. */
export function unknownQuery(endpoint: Endpoint, query: Record<string, unknown>): string[] {
  const known = shapeOf(endpoint.query)
  return Object.keys(query).filter((name) => !(name in known))
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {}

/** Converts numeric query parameters. Text that is not a number stays text, and the schema refuses it. */
export function typedQuery(endpoint: Endpoint, query: QueryTexts): Record<string, unknown> {
  const typed: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(shapeOf(endpoint.query))) {
    const value = query[name]
    if (value === undefined) continue
    if (Array.isArray(value)) throw new ApiError('invalid_request', `Send ${name} once.`, { param: name })
    typed[name] = isNumeric(schema) && /^-?\d{1,15}$/.test(value) ? Number(value) : value
  }
  return typed
}

const numeric = new WeakMap<z.ZodType, boolean>()

/** Whether a parameter is a number, below its default and optional wrappers. */
function isNumeric(schema: z.ZodType): boolean {
  let is = numeric.get(schema)
  if (is === undefined) {
    const { def } = schema as unknown as { def: { type: string; innerType?: z.ZodType } }
    is = def.innerType ? isNumeric(def.innerType) : def.type === 'number'
    numeric.set(schema, is)
  }
  return is
}
