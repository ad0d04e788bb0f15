/** Requests to the simulator that serves the page. */
import { signal } from '@preact/signals'
import type { Control } from '../../src/contract/control.js'
import type { ReplyOf, RequestOf } from '../../src/contract/base/endpoint.js'
import type { ErrorBody } from '../../src/contract/errors/error-codes.js'
import { routes, type RouteName } from './routes.js'

/** The path of the world that the page shows: everything before `/console`. Empty for the main world. */
export const base = location.pathname.split('/console')[0] ?? ''
/** The id of the world that the page shows. */
export const worldId = base === '' ? 'main' : base.slice('/w/'.length)

const tokenName = 'svc-control-token'
/** Whether the simulator asks for its control token. */
export const needsToken = signal(false)

export function keepToken(token: string): void {
  sessionStorage.setItem(tokenName, token)
  needsToken.value = false
}

export class RequestError extends Error {
  constructor(
    message: string,
    /** The error code of the API; `network` if nothing answered. */
    readonly code: string,
    readonly status: number,
  ) {
    super(message)
  }
}

/** Sends a request with the token, if there is one. Throws a RequestError for any answer but a success. */
export async function send(url: string, init: RequestInit = {}): Promise<Response> {
  const token = sessionStorage.getItem(tokenName)
  const headers = { ...init.headers, ...(token !== null && { Authorization: `Bearer ${token}` }) }
  const response = await fetch(url, { ...init, headers, credentials: 'omit', cache: 'no-store' }).catch(
    (error: unknown) => {
      if (init.signal?.aborted) throw error
      throw new RequestError('The simulator does not answer. Is it running?', 'network', 0)
    },
  )
  if (response.ok) return response
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  if (response.status === 401) needsToken.value = true
  const { message = `The simulator answered ${response.status}.`, code = 'unknown' } = body?.error ?? {}
  throw new RequestError(message, code, response.status)
}

export interface Sent {
  params?: Record<string, string> | undefined
  query?: object | undefined
  body?: unknown
}

export interface HttpRequest {
  method: string
  /** With the path of the world and the query. */
  path: string
  body: unknown
}

/** The HTTP request of a call. */
export function requestOf(name: RouteName, { params = {}, query = {}, body }: Sent): HttpRequest {
  const [method = '', template = ''] = routes[name].split(' ')
  // Only the main world manages worlds.
  const world = template.startsWith('/_sim/worlds') ? '' : base
  const path = world + template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()
  return { method, path: search === '' ? path : `${path}?${search}`, body }
}

type Input<N extends RouteName> = RequestOf<Control[N]>

/** Calls a control route and returns the body of the reply. */
export async function call<N extends RouteName>(
  name: N,
  input: Input<N>,
  signal?: AbortSignal,
): Promise<ReplyOf<Control[N]>> {
  const { method, path, body } = requestOf(name, input)
  const response = await send(path, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  })
  return (await response.json()) as ReplyOf<Control[N]>
}
