/**
 * Parses and validates a request's path parameters, query and body. Throws 400 with the position of the first problem.
 */
import type { z } from 'zod'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { describeIssue } from '../../src/contract/base/issue.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'

/** A request as received: path parameters and query are text, the body is parsed JSON. */
export interface RawInput {
  params: Record<string, string>
  query: Record<string, string | string[]>
  body: Record<string, unknown> | undefined
}

export interface ParsedInput {
  params: unknown
  query: unknown
  body: unknown
}

export function readInput(endpoint: Endpoint, raw: RawInput): ParsedInput {
  return {
    params: parseInput(endpoint.params, raw.params),
    query: parseInput(endpoint.query, typedQuery(endpoint, raw.query)),
    body: parseInput(endpoint.body, raw.body),
  }
}

/** Query parameters that the endpoint does not know. The API ignores them (rule C8); the request log names them. */
export function unknownQuery(endpoint: Endpoint, query: Record<string, unknown>): string[] {
  const known = shapeOf(endpoint.query)
  return Object.keys(query).filter((name) => !(name in known))
}

const shapeOf = (schema: z.ZodType): Record<string, z.ZodType> =>
  'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {}

/** Converts numeric query parameters. Text that is not a number stays text, and the schema refuses it. */
function typedQuery(endpoint: Endpoint, query: RawInput['query']): Record<string, unknown> {
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

function parseInput(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new ApiError('invalid_request')
  if (value === undefined) throw new ApiError('invalid_request', 'Send a JSON object as the body.')
  const { param, words } = describeIssue(issue)
  throw new ApiError('invalid_request', param === null ? `${words}.` : `${param}: ${words}.`, { param })
}
