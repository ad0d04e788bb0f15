/** The part of undici that sends requests, loaded as lightly as it goes: most of a short command is loading. */
import { createRequire } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import type { Dispatcher } from 'undici'

type Send = (this: Dispatcher, options: Dispatcher.RequestOptions) => Promise<Dispatcher.ResponseData>
type AgentClass = new () => Dispatcher

export interface Undici {
  /** Keeps connections for the requests to come. */
  agent: Dispatcher
  send: Send
}

let loaded: Undici | undefined

/** Loads on the first call alone, because help and usage errors need none of it. */
export function undici(): Undici {
  if (loaded) return loaded
  // Undici reads HTTP with WebAssembly. To optimize it takes longer than the few answers of a command, and the end of
  // the program would wait for that.
  setFlagsFromString('--liftoff-only')
  const { Agent, send } = parts(createRequire(import.meta.url))
  loaded = { agent: new Agent(), send }
  return loaded
}

/** Two modules in place of ninety; the whole package where a release keeps them elsewhere. */
function parts(load: NodeJS.Require): { Agent: AgentClass; send: Send } {
  try {
    const Agent = load('undici/lib/dispatcher/agent.js') as AgentClass
    return { Agent, send: load('undici/lib/api/api-request.js') as Send }
  } catch {
    const whole = load('undici') as { Agent: AgentClass; Dispatcher: { prototype: { request: Send } } }
    return { Agent: whole.Agent, send: whole.Dispatcher.prototype.request }
  }
}

/** Sends a request to an address, by undici's own connections unless by another's. */
export function sendRequest(
  { origin, pathname, search }: URL,
  options: Omit<Dispatcher.RequestOptions, 'origin' | 'path'>,
  dispatcher: Dispatcher = undici().agent,
): Promise<Dispatcher.ResponseData> {
  return undici().send.call(dispatcher, { ...options, origin, path: pathname + search })
}
