/**
 * Parses and validates a request's path parameters, query and body. Throws 400 with the position of the first problem.
 */
import type { z } from 'zod'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { describeIssue } from '../../src/contract/base/issue.js'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { typedQuery, type QueryTexts } from '../../src/contract/typed-query.js'

/** A request as received: path parameters and query are text, the body is parsed JSON. */
export interface RawInput {
  params: Record<string, string>
  query: QueryTexts
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

function parseInput(schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  if (!issue) throw new ApiError('invalid_request')
  if (value === undefined) throw new ApiError('invalid_request', 'Send a JSON object as the body.')
  const { param, words } = describeIssue(issue)
  throw new ApiError('invalid_request', param === null ? `${words}.` : `${param}: ${words}.`, { param })
}
