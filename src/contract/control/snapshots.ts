/** Snapshots: the whole state, saved and restored by name. */
import * as z from 'zod'
import { endpoint } from '../base/endpoint.js'
import { DateTime } from '../base/date-time.js'
import { noBody, noParams, noQuery } from '../base/empty-body.js'
import { dataReply } from '../base/page.js'

export const Snapshot = z
  .object({
    name: z.string(),
    now: DateTime.meta({ description: 'Simulated time of the saved state.' }),
    saved_at: DateTime.nullable().meta({ description: "When it was saved, by the machine's clock." }),
  })
  .meta({ id: 'Snapshot' })
export type Snapshot = z.output<typeof Snapshot>

/** The name is part of a path, so `.` and `..` are refused. */
const NewName = z
  .string()
  .max(100)
  .regex(
    /^(?!\.{1,2}$)(?!\s)[^\p{Cc}\p{Cs}]+(?<!\s)$/u,
    'send a name of 1 to 100 characters, no control character among them and no blank at its ends',
  )

const byName = z.object({ name: z.string() })

export const createSnapshot = endpoint({
  id: 'snapshots.create',
  method: 'POST',
  path: '/_sim/snapshots',
  summary: 'Save the whole state; a snapshot of that name is replaced',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: z.strictObject({ name: NewName }),
  replies: { 201: dataReply(Snapshot) },
  refusals: [],
})

export const listSnapshots = endpoint({
  id: 'snapshots.list',
  method: 'GET',
  path: '/_sim/snapshots',
  summary: 'List the snapshots',
  permissions: [],
  params: noParams,
  query: noQuery,
  body: noBody,
  replies: { 200: z.object({ data: z.array(Snapshot) }) },
  refusals: [],
})

export const restoreSnapshot = endpoint({
  id: 'snapshots.restore',
  method: 'POST',
  path: '/_sim/snapshots/{name}/restore',
  summary: 'Put a saved state back',
  permissions: [],
  params: byName,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Snapshot) },
  refusals: [],
})

export const deleteSnapshot = endpoint({
  id: 'snapshots.delete',
  method: 'DELETE',
  path: '/_sim/snapshots/{name}',
  summary: 'Forget a snapshot',
  permissions: [],
  params: byName,
  query: noQuery,
  body: noBody,
  replies: { 200: dataReply(Snapshot) },
  refusals: [],
})
