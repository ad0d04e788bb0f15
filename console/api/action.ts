/** What a button does: one call, and how to do the same from a terminal. */
import { signal } from '@preact/signals'
import type { Control } from '../../src/contract/control.js'
import type { ReplyOf, RequestOf } from '../../src/contract/base/endpoint.js'
import { refresh } from './pulse.js'
import { scope } from './place.js'
import { base, call, requestOf, RequestError, type HttpRequest } from './request.js'
import type { RouteName } from './routes.js'

export interface Action {
  /** The `svc` command. */
  svc: string
  http: HttpRequest
  run: () => Promise<unknown>
}

export function action<N extends RouteName>(
  name: N,
  input: RequestOf<Control[N]>,
  svc: string,
  done?: (reply: ReplyOf<Control[N]>) => void,
): Action {
  return {
    svc: svc + flagsOf(svc),
    http: requestOf(name, input),
    run: async () => {
      const reply = await call(name, input)
      done?.(reply)
    },
  }
}

const usualOrigin = 'http://127.0.0.1:4010'

/**
 * The flags that make a command use this world. At its usual address, a simulator needs none, and commands of the API find
 * its keys in the profiles that `svc simulate` saved. Elsewhere they take the key from SVC_SECRET.
 */
export function flagsOf(svc: string): string {
  const { mode, organization_id } = scope.peek()
  const world = svc.startsWith('svc simulate worlds ') ? '' : base
  const isUsual = location.origin === usualOrigin && world === ''
  if (!isUsual) return ` --base-url ${location.origin}${world}/api/v1/external`
  if (svc.startsWith('svc simulate ') || organization_id !== undefined) return ''
  return ` --profile ${mode === 'live' ? 'simulator-live' : 'simulator'}`
}

/** The action whose commands the terminal line shows: the last one that was pointed at, focused or done. */
export const pointedAt = signal<Action | null>(null)

export interface Notice {
  text: string
  /** The error code; null for good news. */
  code: string | null
}
export const notice = signal<Notice | null>(null)

/** Runs an action and reports its result. Returns whether it succeeded. */
export async function perform(what: Action, said?: string): Promise<boolean> {
  pointedAt.value = what
  try {
    await what.run()
    notice.value = said === undefined ? null : { text: said, code: null }
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    notice.value = { text: error.message, code: error.code }
    return false
  } finally {
    refresh()
  }
}

/** Quotes a word for a shell. */
export const quote = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** The curl command of a request. The token is a variable, so that it is in no history. */
export function curlOf({ method, path, body }: HttpRequest): string {
  const token = sessionStorage.length > 0 ? ' -H "Authorization: Bearer $SVC_CONTROL_TOKEN"' : ''
  const sent = body === undefined ? '' : ` -H 'Content-Type: application/json' -d ${quote(JSON.stringify(body))}`
  return `curl -X ${method} ${quote(location.origin + path)}${token}${sent}`
}
