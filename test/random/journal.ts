/** Everything that happens in a running simulator, in order, from its event stream. */
import { request } from 'undici'
import type { Event } from '../../src/contract/events.js'

/** A status change of a lead or a call. */
export interface Move {
  what: 'lead' | 'call'
  /** Organization and mode as one text, as `tenantOf` writes them. */
  tenant: string
  at: number
  id: string
  from: string | null
  to: string
}
export type Happening = Move | { what: 'event'; event: Event }

export const tenantOf = (organizationId: string, mode: 'live' | 'test'): string => `${organizationId}/${mode}`

interface MoveWords {
  organization_id: string
  mode: 'live' | 'test'
  at: string
  id: string
  from: string | null
  to: string
}

function read(record: string): Happening | null {
  const name = /^event: (.*)$/m.exec(record)?.[1]
  const data = /^data: (.*)$/m.exec(record)?.[1]
  if (name === undefined || data === undefined) return null
  if (!name.startsWith('transition.')) return { what: 'event', event: JSON.parse(data) as Event }
  const { organization_id, mode, at, ...move } = JSON.parse(data) as MoveWords
  const what = name === 'transition.lead' ? 'lead' : 'call'
  return { what, tenant: tenantOf(organization_id, mode), at: Date.parse(at), ...move }
}

export class Journal {
  readonly #happenings: Happening[] = []
  #rest = ''
  #ended = false
  #wake: () => void = () => undefined

  private constructor(body: AsyncIterable<Buffer>) {
    void this.#follow(body)
  }

  static async open(url: string): Promise<Journal> {
    const { body } = await request(`${url}/_sim/stream?types=event,transition`)
    return new Journal(body)
  }

  async #follow(body: AsyncIterable<Buffer>): Promise<void> {
    try {
      for await (const chunk of body) this.#take(chunk.toString())
    } finally {
      this.#ended = true
      this.#wake()
    }
  }

  #take(text: string): void {
    const records = (this.#rest + text).split('\n\n')
    this.#rest = records.pop() ?? ''
    this.#happenings.push(...records.map(read).filter((one) => one !== null))
    this.#wake()
  }

  /** Everything before the first match. The match is left out. */
  async upTo(fits: (happening: Happening) => boolean): Promise<Happening[]> {
    for (let looked = 0; ;) {
      const found = this.#happenings.findIndex((one, n) => n >= looked && fits(one))
      if (found >= 0) return this.#happenings.splice(0, found + 1).slice(0, -1)
      looked = this.#happenings.length
      if (this.#ended) throw new Error('the stream ended')
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
