/** An exchange with a reply of the right shape, in the form that the checks of relations receive. */
import type { ReplyOf } from '../../../contract/base/endpoint.js'
import type { Contract, EndpointName } from '../../../contract/index.js'
import type { Note } from '../exchange.js'

export interface Answered<R = unknown> {
  status: number
  /** Path parameters of the request. */
  params: Readonly<Record<string, string>>
  /** Valid query of the request, with defaults; null if it is not valid. */
  query: Readonly<Record<string, unknown>> | null
  /** Valid body of the request; null if it is not valid or was not kept. */
  body: Readonly<Record<string, unknown>> | null
  reply: R
}

type Relation<N extends EndpointName> = (answered: Answered<ReplyOf<Contract[N]>>, note: Note) => void

/** Checks by endpoint. */
export type Relations = { readonly [N in EndpointName]?: Relation<N> }
