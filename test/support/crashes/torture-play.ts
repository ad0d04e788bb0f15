/** Clients that use a simulator until it is killed, and a record of what it acknowledged, all of which must survive. */
import type { RandomStream } from '../../../simulator/kernel/random.js'
import type { KillableService } from './killable-service.js'

/** Event types that the endpoint of the play subscribes to. */
export const subscribed = ['call.started', 'call.completed'] as const

export class Acknowledged {
  /** Ids of leads by their names. */
  readonly leads = new Map<string, string>()
  /** The possible names of each lead: the last acknowledged one, and later ones without a reply. */
  readonly names = new Map<string, Set<string>>()
  readonly optedOut = new Set<string>()
  /** Campaigns that leads are added to, in turn. */
  readonly campaigns: string[] = []
  readonly dnc = new Set<string>()
  /** Number of requested calls by lead id. */
  readonly calls = new Map<string, number>()
  readonly exports = new Set<string>()
  readonly snapshots = new Set<string>()
  /** Ids of keys with their expiry. */
  readonly keys = new Map<string, Set<string>>()
  /** The lead id in the reply, by idempotency key. */
  readonly answers = new Map<string, string>()
  /** Values that a request is changing now. */
  readonly beingChanged = new Set<Set<string>>()
  now = 0
  count = 0
}

interface Answer {
  status: number
  data: unknown
}

type Deed = (play: Play) => Promise<void>

/** Each kind of write by name. */
const deeds: Record<string, Deed> = {
  lead: (play) => play.addLead(),
  batch: (play) => play.addBatch(),
  patch: (play) => play.patch(),
  optOut: (play) => play.optOut(),
  dnc: (play) => play.addToDnc(),
  call: (play) => play.startCall(),
  advance: (play) => play.advance(),
  export: (play) => play.export(),
  snapshot: (play) => play.snapshot(),
  key: (play) => play.changeKey(),
}
export const kinds = Object.keys(deeds)

/** Concurrent clients that run as long as the program lives. */
export class Play {
  constructor(
    readonly service: KillableService,
    readonly chance: RandomStream,
    readonly known: Acknowledged,
    /** Names and numbers are unique over all rounds. */
    readonly numbers: { next: number },
    readonly onAnswer: () => void,
  ) {}

  /**
   * Runs actions of every kind, half of them of the kind `focus`, until a request gets no reply. Throws errors that a
   * kill does not explain.
   */
  async run(focus: string): Promise<void> {
    for (;;) {
      const kind = this.chance.fraction() < 0.5 ? focus : this.chance.pick(kinds)
      await deeds[kind]?.(this)
    }
  }

  async #ask(statuses: number[], ...request: Parameters<KillableService['ask']>): Promise<Answer> {
    const answer = await this.service.ask(...request).catch((error: unknown) => {
      throw new CutShort(String(error))
    })
    if (!statuses.includes(answer.status))
      throw new Error(`${request[0]} ${request[1]} was answered with ${answer.status} ${answer.code}`)
    return answer
  }

  #acknowledge(): void {
    this.known.count += 1
    this.onAnswer()
  }

  #newLead() {
    const n = this.numbers.next++
    const area = [212, 646, 718, 312, 213][Math.floor(n / 90_000)]
    return {
      // A campaign accepts at most 5,000 waiting leads (rule A4).
      campaign_id: this.known.campaigns[Math.floor(n / 4_000) % this.known.campaigns.length] ?? '',
      phone: `+1${area}${2_010_000 + (n % 90_000)}`,
      external_id: `lead-${n}`,
    }
  }

  async addLead(): Promise<void> {
    const lead = this.#newLead()
    const { data } = await this.#ask([201], 'POST', '/leads', lead, `add-${lead.external_id}`)
    const { id } = data as { id: string }
    this.known.leads.set(lead.external_id, id)
    this.known.answers.set(`add-${lead.external_id}`, id)
    this.#acknowledge()
  }

  async addBatch(): Promise<void> {
    const leads = Array.from({ length: this.chance.whole(2, 12) }, () => this.#newLead())
    const { data } = await this.#ask([200], 'POST', '/leads/batch', { leads })
    const { results } = data as { results: { index: number; lead?: { id: string }; error?: { code: string } }[] }
    for (const { index, lead, error } of results) {
      if (!lead) throw new Error(`lead ${index} of a batch was refused: ${error?.code}`)
      this.known.leads.set(leads[index]?.external_id ?? '', lead.id)
    }
    this.#acknowledge()
  }

  /** A random acknowledged lead. */
  get #some(): string | null {
    return this.known.leads.size === 0 ? null : this.chance.pick([...this.known.leads.values()].slice(-50))
  }

  async patch(): Promise<void> {
    const id = this.#some
    if (id === null) return this.addLead()
    const may = this.known.names.get(id) ?? new Set([''])
    this.known.names.set(id, may)
    const name = `Name ${this.numbers.next++}`
    await this.#change(may, `/leads/${id}`, { name }, name)
  }

  /** One change at a time. With two at once it is unknown which was last. */
  async #change(may: Set<string>, path: string, words: object, value: string): Promise<void> {
    if (this.known.beingChanged.has(may)) return this.addLead()
    const before = [...may]
    this.known.beingChanged.add(may)
    may.add(value)
    await this.#ask([200], 'PATCH', path, words)
    for (const one of before) may.delete(one)
    this.known.beingChanged.delete(may)
    this.#acknowledge()
  }

  async optOut(): Promise<void> {
    const id = this.#some
    if (id === null) return this.addLead()
    await this.#ask([200], 'POST', `/leads/${id}/opt_out`, {})
    this.known.optedOut.add(id)
    this.#acknowledge()
  }

  async addToDnc(): Promise<void> {
    const phone = `+1415${2_010_000 + this.numbers.next++}`
    await this.#ask([200, 201], 'POST', '/dnc', { phone })
    this.known.dnc.add(phone)
    this.#acknowledge()
  }

  async startCall(): Promise<void> {
    const lead_id = this.#some
    if (lead_id === null) return this.addLead()
    // Every status that the rules allow counts as an answer.
    const { status } = await this.#ask([201, 202, 400, 404, 409, 422, 429], 'POST', '/calls', { lead_id })
    if (status < 300) this.known.calls.set(lead_id, (this.known.calls.get(lead_id) ?? 0) + 1)
    this.#acknowledge()
  }

  async advance(): Promise<void> {
    const by = `${this.chance.whole(1, 20)}s`
    const { data } = await this.#ask([200], 'POST', '/_sim/clock/advance', { by })
    this.known.now = Math.max(this.known.now, Date.parse((data as { now: string }).now))
    this.#acknowledge()
  }

  async export(): Promise<void> {
    const { data } = await this.#ask([200, 201, 202], 'POST', '/exports', {
      exportType: this.chance.pick(['leads', 'call_history']),
    })
    this.known.exports.add((data as { export: { id: string } }).export.id)
    this.#acknowledge()
  }

  async snapshot(): Promise<void> {
    const name = `snapshot ${this.chance.whole(1, 3)}`
    await this.#ask([201], 'POST', '/_sim/snapshots', { name })
    this.known.snapshots.add(name)
    this.#acknowledge()
  }

  async changeKey(): Promise<void> {
    const expires = Date.UTC(2030, 0, 1) + 1_000 * this.numbers.next++
    const words = { expires_at: new Date(expires).toISOString() }
    if (this.known.keys.size >= 5) {
      const [id, may] = this.chance.pick([...this.known.keys])
      return this.#change(may, `/_sim/keys/${id}`, words, String(expires))
    }
    const { data } = await this.#ask([201], 'POST', '/_sim/keys', { mode: 'live', ...words })
    this.known.keys.set((data as { key_id: string }).key_id, new Set([String(expires)]))
    this.#acknowledge()
  }
}

/** No reply arrived: the program was killed. */
export class CutShort extends Error {
  override name = 'CutShort'
}
