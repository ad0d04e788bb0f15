/** Streams events, status changes and delivery attempts as server-sent events while they happen. */
import type { ServerResponse } from 'node:http'
import type { Control } from '../../../src/contract/control.js'
import type { QueryOf } from '../../../src/contract/base/endpoint.js'
import { toIso } from '../../kernel/instant.js'
import type { SystemClock, Timer } from '../../kernel/system-clock.js'
import { organizationNumberOf } from '../../model/organization.js'
import type { LeadsMoved, Notification, Replacement, World } from '../../model/world.js'
import { readEnvelope } from '../../webhooks/outbox.js'
import { compileGlob } from './faults/glob.js'

/** A reader with more unread bytes is disconnected, so that it does not fill the memory. */
const unreadBytesMax = 64 * 2 ** 20
const heartbeatMs = 15_000

export interface StreamsOptions {
  world: World
  machine: SystemClock
  /** Subscribes to all notices. Returns the function that unsubscribes. */
  watch: (listener: (notice: Notification) => void) => () => void
}

type Wanted = QueryOf<Control['stream']>

/** The notices that a stream shows. */
type Shown = Exclude<Notification, LeadsMoved>

export class EventStreams {
  readonly #options: StreamsOptions
  /** The function that ends each open stream. */
  readonly #open = new Set<() => void>()

  constructor(options: StreamsOptions) {
    this.#options = options
  }

  /** Streams notices from now on, until the reader leaves or reads too slowly. */
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
      const data = this.#dataOf(notice)
      if (data === null) return
      response.write(`id: ${++count}\nevent: ${nameOf(notice)}\ndata: ${data}\n\n`)
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

  /** Whether a reader is connected. */
  get isOpen(): boolean {
    return this.#open.size > 0
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
      // A replaced world belongs to no organization or mode. Only streams with a `types` filter get it.
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

  /** An event shows its envelope. Other notices name their organization and mode. */
  #dataOf(notice: Shown): string | null {
    if (notice.kind === 'event') return readEnvelope(this.#options.world.tenant(notice.tenant), notice.n)
    const at = toIso(notice.at)
    if (notice.kind === 'world') return JSON.stringify({ at, newest_events: notice.newest_events() })
    if (notice.kind === 'attempt') return JSON.stringify({ ...this.#whose(notice), at, delivery: notice.delivery() })
    const { from, to } = notice
    const { leads, calls } = this.#options.world.tenant(notice.tenant)
    const id = (notice.kind === 'lead' ? leads : calls).id(notice.n)
    return JSON.stringify({ ...this.#whose(notice), at, id, from, to })
  }
}

/** Group names that `types` may use besides the single names. */
const kindOf = { event: 'event', lead: 'transition', call: 'transition', attempt: 'delivery', world: 'world' } as const

const nameOf = (notice: Shown): string => {
  if (notice.kind === 'event') return notice.type
  if (notice.kind === 'world') return 'world.replaced'
  return notice.kind === 'attempt' ? 'delivery.attempt' : `transition.${notice.kind}`
}
