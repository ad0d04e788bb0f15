/** Faults: the next matching API requests are slowed, answered with an error, or cut off. */
import { z } from 'zod'
import { endpoint } from '../base/endpoint.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'
import { ErrorCode } from '../errors/error-codes.js'
import { Glob } from './glob.js'

const dayMs = 86_400_000
const words = {
  method: z.enum(['GET', 'POST', 'PATCH', 'DELETE']).optional(),
  path: Glob.optional().meta({ description: 'A glob, below the base address.' }),
  latency_ms: z.int().min(0).max(dayMs).optional(),
  status: z.int().min(400).max(599).optional(),
  code: ErrorCode.optional(),
  drop: z.boolean().optional().meta({ description: 'The connection is cut instead of answered.' }),
  after_commit: z.boolean().optional().meta({ description: 'Only after the work was done.' }),
}
const count = z.int().min(1)

export const NewFault = z
  .strictObject({ ...words, count: count.default(1).meta({ description: 'How many requests it meets.' }) })
  .meta({ id: 'NewFault' })
export type NewFault = z.output<typeof NewFault>

export const Fault = z.object({ ...words, count }).meta({ id: 'Fault' })
export type Fault = z.output<typeof Fault>

export const addFault = endpoint({
  id: 'faults.add',
  method: 'POST',
  path: '/_sim/faults',
  summary: 'Let the next matching requests go wrong',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: NewFault,
  replies: { 201: dataReply(Fault) },
  refusals: [],
})

export const removeFaults = endpoint({
  id: 'faults.remove',
  method: 'DELETE',
  path: '/_sim/faults',
  summary: 'Let nothing go wrong any more',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(z.object({ removed: z.int().min(0) })) },
  refusals: [],
})
