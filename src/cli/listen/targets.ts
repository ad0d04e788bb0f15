/** Chooses the URL for each event type: the first matching route, else the default address. */
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

  /** Returns undefined if the type is not forwarded. */
  of(type: string): URL | undefined {
    return this.#routes.find(({ means }) => means(type))?.url ?? this.#others
  }

  /** All addresses, routes first. */
  get urls(): readonly URL[] {
    return [...this.#routes.map(({ url }) => url), ...(this.#others ? [this.#others] : [])]
  }

  /** The same text for each run that sends the same events to the same addresses. */
  get identity(): string {
    return JSON.stringify(this.described.map(({ events, url }) => [events, url]))
  }

  /** Routes as given, for messages. */
  get described(): readonly { events: string; url: string }[] {
    const routes = this.#routes.map(({ events, url }) => ({ events, url: url.href }))
    return this.#others ? [...routes, { events: '*', url: this.#others.href }] : routes
  }
}

function routeOf(text: string): Route {
  const at = text.indexOf('=')
  const events = text.slice(0, at).trim()
  if (at < 1 || events === '')
    throw new UsageError(
      `--route ${text} is not a valid route.`,
      "Use a form like --route 'call.*=http://localhost:3001/hooks'.",
    )
  return { events, means: parseEventFilter(events), url: parseForwardAddress(text.slice(at + 1), '--route') }
}
