/** Where each type of event is forwarded to: by the first route that fits, else to the one address for all others. */
import { parseEventFilter, type EventFilter } from '../input/event-types.js'
import { parseForwardAddress } from '../input/forward-address.js'
import { UsageError } from '../errors/usage-error.js'

interface Route {
  events: string
  means: EventFilter
  url: URL
}

export class Targets {
  readonly #routes: readonly Route[]
  readonly #others: URL | undefined

  /** Reads `--forward-to` and each `--route glob=url`. Throws `UsageError`. */
  constructor(forwardTo: string | undefined, routes: readonly string[]) {
    this.#routes = routes.map(routeOf)
    this.#others = forwardTo === undefined ? undefined : parseForwardAddress(forwardTo, '--forward-to')
  }

  /** Undefined: it is not forwarded. */
  of(type: string): URL | undefined {
    return this.#routes.find(({ means }) => means(type))?.url ?? this.#others
  }

  /** Every address, the routes' first. */
  get urls(): readonly URL[] {
    return [...this.#routes.map(({ url }) => url), ...(this.#others ? [this.#others] : [])]
  }

  /** What goes where, by the words it was asked for in. */
  get described(): readonly { events: string; url: string }[] {
    const routes = this.#routes.map(({ events, url }) => ({ events, url: url.href }))
    return this.#others ? [...routes, { events: '*', url: this.#others.href }] : routes
  }
}

function routeOf(text: string): Route {
  const at = text.indexOf('=')
  const events = text.slice(0, at).trim()
  if (at < 1 || events === '')
    throw new UsageError(`--route ${text} is no route.`, "It reads like --route 'call.*=http://localhost:3001/hooks'.")
  return { events, means: parseEventFilter(events), url: parseForwardAddress(text.slice(at + 1), '--route') }
}
