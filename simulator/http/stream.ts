/** What happens, as it happens, for those who follow it: server-sent events of every event, transition and try of a delivery. */
import type { ServerResponse } from 'node:http'
import type { Control } from '../../src/contract/control.js'
import type { QueryOf } from '../../src/contract/endpoint.js'
import { toIso } from '../kernel/instant.js'
import type { Machine, Timer } from '../kernel/machine.js'
import { organizationOf } from '../world/organization.js'
import type { Notice, Replacement, World } from '../world/world.js'
import { globTester } from './glob.js'

/** Whoever has so much still to read is let go: memory is not theirs to fill. */
const unreadBytesMax = 64 * 2 ** 20
const heartbeatMs = 15_000

export interface StreamsOptions {
  world: World
  machine: Machine
  /** Hears of everything that happens; the answer stops it. */
  watch: (listener: (notice: Notice) => void) => () => void
}

type Wanted = QueryOf<Control['stream']>

export class Streams {
  readonly #options: StreamsOptions
  /** What ends each stream that is open. */
  readonly #open = new Set<() => void>()

  constructor(options: StreamsOptions) {
    this.#options = options
  }

  /** Answers with what happens from now on, until the reader leaves or reads too slowly. */
  open(response: ServerResponse, wanted: Wanted): void {
    const { machine, watch } = this.#options
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
    }
    const end = () => {
      stop()
      response.end()
    }
    this.#open.add(end)
    response.once('close', stop)
    beat()
  }

  close(): void {
    for (const end of this.#open) end()
  }

  #filter({ types = '', mode, organization_id }: Wanted): (notice: Notice) => boolean {
    const globs = types
      .split(',')
      .map((type) => type.trim())
      .filter((type) => type !== '')
      .map(globTester)
    return (notice) => {
      const names = [nameOf(notice), kindOf[notice.kind]]
      if (globs.length > 0 && !globs.some((fits) => names.some(fits))) return false
      // It is of no organization and no mode, and nothing that happens: told to those alone who ask for it.
      if (notice.kind === 'world') return globs.length > 0
      const whose = this.#whose(notice)
      return (mode ?? whose.mode) === whose.mode && (organization_id ?? whose.organization_id) === whose.organization_id
    }
  }

  #whose({ tenant }: Exclude<Notice, Replacement>) {
    const { organizations } = this.#options.world
    const { mode } = this.#options.world.organization(tenant)
    return { organization_id: organizations.get(organizationOf(tenant)).id, mode }
  }

  /** An event is its envelope; what is no event says whose it is. */
  #dataOf(notice: Notice): string {
    if (notice.kind === 'event') return notice.body
    if (notice.kind === 'world') return JSON.stringify({ at: toIso(notice.at), newest_events: notice.newest_events })
    const { kind: _kind, tenant: _tenant, at, ...words } = notice
    return JSON.stringify({ ...this.#whose(notice), at: toIso(at), ...words })
  }
}

/** Many names by one: what `types` may ask for beside the names themselves. */
const kindOf = { event: 'event', lead: 'transition', call: 'transition', attempt: 'delivery', world: 'world' } as const

const nameOf = (notice: Notice): string => {
  if (notice.kind === 'event') return notice.type
  if (notice.kind === 'world') return 'world.replaced'
  return notice.kind === 'attempt' ? 'delivery.attempt' : `transition.${notice.kind}`
}
