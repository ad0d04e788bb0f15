/** Types of endpoint handlers: plain functions from a principal and parsed input to an answer. */
import type { z } from 'zod'
import type { Endpoint, InputOf } from '../../src/contract/base/endpoint.js'
import type { Contract, EndpointName } from '../../src/contract/index.js'
import type { Control, ControlName } from '../../src/contract/control.js'
import type { Principal } from './principal.js'

/** A successful reply: one of the endpoint's statuses with its body. */
export type Answer<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R>
    ? { [S in keyof R & number]: { status: S; body: z.input<R[S]>; headers?: Record<string, string> } }[keyof R &
        number]
    : never

export interface AnyAnswer {
  status: number
  body: unknown
  headers?: Record<string, string>
}

/** One function per API endpoint; a missing one does not compile. Each is synchronous because it runs as one step. */
export type Handlers = {
  [N in EndpointName]: (caller: Principal, input: InputOf<Contract[N]>) => Answer<Contract[N]>
}

/**
 * One function per control endpoint. They may wait and run several steps. `isWanted` says whether the client still
 * waits for the answer.
 */
export type ControlHandlers = {
  [N in ControlName]: (
    input: InputOf<Control[N]>,
    isWanted: () => boolean,
  ) => Answer<Control[N]> | Promise<Answer<Control[N]>>
}

export const replyOk = <T>(data: T) => ({ status: 200 as const, body: { data } })
export const replyCreated = <T>(data: T) => ({ status: 201 as const, body: { data } })
export const replyAccepted = <T>(data: T) => ({ status: 202 as const, body: { data } })

/** Replies with a page of a list (rules C3 and P3). `rows` holds one row more than the limit if there are further items. */
export function replyPage<Row, Item extends { id: string }>(rows: Row[], limit: number, item: (row: Row) => Item) {
  const data = rows.slice(0, limit).map(item)
  const has_more = rows.length > limit
  return {
    status: 200 as const,
    body: { data, meta: { next_cursor: has_more ? (data[data.length - 1]?.id ?? null) : null, has_more } },
  }
}
