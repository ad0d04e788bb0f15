/** What happens, as it happens, for those who follow it: server-sent events of every event, transition and try of a delivery. */
import type { ServerResponse } from 'node:http'
import type { Control } from '../../../src/contract/control.js'
import type { QueryOf } from '../../../src/contract/base/endpoint.js'
import { toIso } from '../../kernel/instant.js'
import type { SystemClock, Timer } from '../../kernel/system-clock.js'
import { organizationNumberOf } from '../../model/organization.js'
import type { LeadsMoved, Notification, Replacement, World } from '../../model/world.js'
import { compileGlob } from './glob.js'

/** Whoever has so much still to read is let go: memory is not theirs to fill. */
const unreadBytesMax = 64 * 2 ** 20
const heartbeatMs = 15_000

export interface StreamsOptions {
  world: World
  machine: SystemClock
  /** Hears of everything that happens; the answer stops it. */
  watch: (listener: (notice: Notification) => void) => () => void
}

type Wanted = QueryOf<Control['stream']>

/** The notices that a stream shows. */
type Shown = Exclude<Notification, LeadsMoved>

export class EventStreams {
  readonly #options: StreamsOptions
  /** What ends each stream that is open. */
  readonly #open = new Set<() => void>()

  constructor(options: StreamsOptions) {
    this.#options = options
  }

  /** Answers with what happens from now on, until the reader leaves or reads too slowly. */
  open(response: ServerResponse, wanted: Wanted): void {
    const { world, machine, watch } = this.#options
    response.writeHead(200, {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    })
    let timer: Timer | undefined
    let count = 0
    const beat = () => {
      response.write(': still here\n\n')
      timer = machine.after(heartbeatMs, beat)
    }
    const isWanted = this.#filter(wanted)
    const unwatch = watch((notice) => {
      if (!isWanted(notice)) return
      response.write(`id: ${++count}\nevent: ${nameOf(notice)}\ndata: ${this.#dataOf(notice)}\n\n`)
      if (response.writableLength <= unreadBytesMax) return
      stop()
      response.destroy()
    })
    const stop = () => {
      unwatch()
      timer?.cancel()
      this.#open.delete(end)
      world.watched = this.#open.size > 0
    }
    const end = () => {
      stop()
      response.end()
    }
    this.#open.add(end)
    world.watched = true
    response.once('close', stop)
    beat()
  }

  close(): void {
    for (const end of this.#open) end()
  }

  #filter({ types = '', mode, organization_id }: Wanted): (notice: Notification) => notice is Shown {
    const globs = types
      .split(',')
      .map((type) => type.trim())
      .filter((type) => type !== '')
      .map(compileGlob)
    return (notice): notice is Shown => {
      if (notice.kind === 'leads') return false
      const names = [nameOf(notice), kindOf[notice.kind]]
      if (globs.length > 0 && !globs.some((fits) => names.some(fits))) return false
      // It is of no organization and no mode, and nothing that happens: told to those alone who ask for it.
      if (notice.kind === 'world') return globs.length > 0
      const whose = this.#whose(notice)
      return (mode ?? whose.mode) === whose.mode && (organization_id ?? whose.organization_id) === whose.organization_id
    }
  }

  #whose({ tenant }: Exclude<Shown, Replacement>) {
    const { organizations } = this.#options.world
    const { mode } = this.#options.world.tenant(tenant)
    return { organization_id: organizations.get(organizationNumberOf(tenant)).id, mode }
  }

  /** An event is its envelope; what is no event says whose it is. */
  #dataOf(notice: Shown): string {
    if (notice.kind === 'event') return notice.body()
    const at = toIso(notice.at)
    if (notice.kind === 'world') return JSON.stringify({ at, newest_events: notice.newest_events() })
    if (notice.kind === 'attempt') return JSON.stringify({ ...this.#whose(notice), at, delivery: notice.delivery() })
    const { from, to } = notice
    const { leads, calls } = this.#options.world.tenant(notice.tenant)
    const id = (notice.kind === 'lead' ? leads : calls).id(notice.n)
    return JSON.stringify({ ...this.#whose(notice), at, id, from, to })
  }
}

/** Many names by one: what `types` may ask for beside the names themselves. */
const kindOf = { event: 'event', lead: 'transition', call: 'transition', attempt: 'delivery', world: 'world' } as const

const nameOf = (notice: Shown): string => {
  if (notice.kind === 'event') return notice.type
  if (notice.kind === 'world') return 'world.replaced'
  return notice.kind === 'attempt' ? 'delivery.attempt' : `transition.${notice.kind}`
}
