/** What an endpoint is: the words of one HTTP operation, with no behaviour. Server, client, documents and tests all read it. */
import type { z } from 'zod'
import type { HeaderName } from '../openapi/headers.js'
import type { Permission } from '../permissions.js'
import type { ErrorCode } from '../errors/error-codes.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Schemas of the successful replies by HTTP status; a plain-text reply is a `z.string()`. */
export type Replies = Readonly<Record<number, z.ZodType>>

export interface Endpoint<
  P extends z.ZodType = z.ZodType,
  Q extends z.ZodType = z.ZodType,
  B extends z.ZodType = z.ZodType,
  R extends Replies = Replies,
> {
  /** Dotted name, unique in its contract: `leads.create`. */
  readonly id: string
  readonly method: Method
  /** Below the base address, parameters in braces: `/leads/{id}`. */
  readonly path: string
  /** One line for documents. */
  readonly summary: string
  /** Every permission the key must have. Empty: none is asked (control plane), or the handler decides. */
  readonly permissions: readonly Permission[]
  /** True where the key must cover every campaign (specification, Authentication, rule 5). */
  readonly everyCampaign?: boolean
  readonly params: P
  /** Query values as the caller means them (numbers are numbers); the edges turn them to and from text. */
  readonly query: Q
  /** The JSON body. `noBody` where none is taken. */
  readonly body: B
  readonly replies: R
  /** Headers of the successful replies beyond those of every reply. */
  readonly headers?: readonly HeaderName[]
  /** Refusals beyond the common set and those that follow from the shape (writes, addressed objects). */
  readonly refusals: readonly ErrorCode[]
}

/** Declares an endpoint, keeping the exact types of its schemas. */
export function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Replies>(
  words: Endpoint<P, Q, B, R>,
): Endpoint<P, Q, B, R> {
  return words
}

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B> ? z.output<P> : never
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q> ? z.output<Q> : never
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B> ? z.output<B> : never

/** What a handler gets: everything parsed, defaults filled in. */
export interface InputOf<E> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
}

/** What a caller gives: defaults may be left out. */
export type RequestOf<E> =
  E extends Endpoint<infer P, infer Q, infer B> ? { params?: z.input<P>; query?: z.input<Q>; body?: z.input<B> } : never

/** The body of a successful reply, of any of its statuses. */
export type ReplyOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R> ? z.output<R[keyof R & number]> : never

/** True where the operation changes something: it takes an Idempotency-Key (specification, Conventions). */
export function isWrite(endpoint: Pick<Endpoint, 'method'>): boolean {
  return endpoint.method !== 'GET'
}
