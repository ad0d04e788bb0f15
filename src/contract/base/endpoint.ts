/**
 * An endpoint: the description of one HTTP operation, without behavior. Server, client, documents and tests all use
 * it.
 */
import type { z } from 'zod'
import type { HeaderName } from '../openapi/headers.js'
import type { Permission } from '../permissions.js'
import type { ErrorCode } from '../errors/error-codes.js'

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** Schemas of the successful replies by HTTP status. A plain-text reply is a `z.string()`. */
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
  /** Path below the base address, with parameters in braces: `/leads/{id}`. */
  readonly path: string
  /** One line for the documents. */
  readonly summary: string
  /**
   * The permissions that the key must have (rule K3). Empty if none is needed (control plane) or the handler decides.
   */
  readonly permissions: readonly Permission[]
  /** True if the key must cover every campaign (rule K5). */
  readonly everyCampaign?: boolean
  readonly params: P
  /** Typed query values. Client and server convert them to and from text. */
  readonly query: Q
  /** The JSON body, or `noBody`. */
  readonly body: B
  readonly replies: R
  /** Headers of the successful replies, in addition to those of every reply. */
  readonly headers?: readonly HeaderName[]
  /** Error codes, in addition to those of every endpoint and those that method and path imply. */
  readonly refusals: readonly ErrorCode[]
  /** Statuses of error codes that this endpoint answers otherwise than the API. */
  readonly statuses?: Partial<Readonly<Record<ErrorCode, number>>>
}

/** Declares an endpoint and keeps the exact types of its schemas. */
export function endpoint<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, R extends Replies>(
  words: Endpoint<P, Q, B, R>,
): Endpoint<P, Q, B, R> {
  return words
}

export type ParamsOf<E> = E extends Endpoint<infer P, infer _Q, infer _B> ? z.output<P> : never
export type QueryOf<E> = E extends Endpoint<infer _P, infer Q> ? z.output<Q> : never
export type BodyOf<E> = E extends Endpoint<infer _P, infer _Q, infer B> ? z.output<B> : never

/** What a handler gets: parsed values with defaults filled in. */
export interface InputOf<E> {
  params: ParamsOf<E>
  query: QueryOf<E>
  body: BodyOf<E>
}

/** What a caller passes: values with a default are optional. */
export type RequestOf<E> =
  E extends Endpoint<infer P, infer Q, infer B> ? { params?: z.input<P>; query?: z.input<Q>; body?: z.input<B> } : never

/** The body of a successful reply, of any status. */
export type ReplyOf<E> =
  E extends Endpoint<infer _P, infer _Q, infer _B, infer R> ? z.output<R[keyof R & number]> : never

/** True if the operation changes something and so takes an Idempotency-Key (rule I1). */
export function isWrite(endpoint: Pick<Endpoint, 'method'>): boolean {
  return endpoint.method !== 'GET'
}
