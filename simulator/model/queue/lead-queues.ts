/** The queues of one tenant: which lead of a campaign is called next, and how many are before a lead (rule D8). */
import type { Instant } from '../../kernel/instant.js'
import { QueueHead } from '../../storage/queue-head.js'
import type { RowCache } from '../../storage/row-cache.js'
import { sql } from '../../storage/sql.js'
import { tables } from '../../storage/tables.js'

/** Sorts before every instant. */
const earliest = Number.MIN_SAFE_INTEGER

/** A lead's position in its campaign's queue, which decides who is called first (rule D8). */
interface QueuePosition {
  n: number
  call_now: 0 | 1
  line_at: Instant
  arrival: number
}

/** The fields of a lead that its queue depends on. */
interface QueuedLead extends QueuePosition {
  tenant: number
  campaign: number
  status: string
}

const positionOf = ({ n, call_now, line_at, arrival }: QueuePosition): QueuePosition => ({
  n,
  call_now,
  line_at,
  arrival,
})
const comparePositions = (a: QueuePosition, b: QueuePosition): number =>
  b.call_now - a.call_now || a.line_at - b.line_at || a.arrival - b.arrival
const samePosition = (lead: QueuedLead, { call_now, line_at, arrival }: QueuePosition): boolean =>
  lead.status === 'queued' && lead.call_now === call_now && lead.line_at === line_at && lead.arrival === arrival

export class LeadQueues<Lead extends QueuedLead> {
  readonly #rows: RowCache<Lead>
  readonly #get: (n: number) => Lead
  /** Queue heads of the campaigns that dial. */
  readonly #heads = new Map<number, QueueHead<QueuePosition>>()

  /** `get` reads a lead by its row number. */
  constructor(rows: RowCache<Lead>, get: (n: number) => Lead) {
    this.#rows = rows
    this.#get = get
  }

  /** The position of a queued lead; null for another one. */
  positionOf(lead: Lead): QueuePosition | null {
    return lead.status === 'queued' ? positionOf(lead) : null
  }

  /** Notes a lead that was added or changed. `before` is its position before the change. */
  note(lead: Lead, before: QueuePosition | null = null): void {
    if (lead.status === 'queued' && !(before && samePosition(lead, before)))
      this.#heads.get(lead.campaign)?.add(positionOf(lead))
  }

  /** Call this when stored leads may have changed. */
  invalidate(): void {
    this.#heads.clear()
  }

  /**
   * The next queued lead of a campaign, skipping leads that one of `exceptKeys` added. call_now leads come first (rule
   * D8).
   */
  first(campaign: number, exceptKeys: readonly number[] = []): Lead | null {
    if (exceptKeys.length > 0) return this.#firstOfOthers(campaign, exceptKeys)
    let head = this.#heads.get(campaign)
    if (!head) {
      const source = {
        stored: (after: QueuePosition | undefined, limit: number) => this.#places(campaign, after, limit),
        unwritten: (isMeant: (place: QueuePosition) => boolean) => this.#unwrittenPlaces(campaign, isMeant),
      }
      this.#heads.set(
        campaign,
        (head = new QueueHead(comparePositions, source, (place) => samePosition(this.#get(place.n), place))),
      )
    }
    const first = head.first()
    return first && this.#get(first.n)
  }

  /** Reads queue positions with their whole leads, because the leads are called soon. */
  #places(campaign: number, after: QueuePosition | undefined, limit: number): QueuePosition[] {
    const { call_now, line_at, arrival } = after ?? { call_now: 1, line_at: earliest, arrival: 0 }
    const places = this.#placesOfKind(campaign, call_now, line_at, arrival, limit)
    if (call_now === 0 || places.length === limit) return places
    return [...places, ...this.#placesOfKind(campaign, 0, earliest, 0, limit - places.length)]
  }

  #placesOfKind(
    campaign: number,
    ...after: [call_now: number, line_at: number, arrival: number, limit: number]
  ): QueuePosition[] {
    const query = sql`SELECT * FROM ${tables.leads} WHERE tenant = ? AND campaign = ? AND status = 'queued'
      AND call_now = ? AND (line_at, arrival) > (?, ?) ORDER BY line_at, arrival LIMIT ?`
    return this.#rows.store.stored<Lead>(query, this.#rows.tenant, campaign, ...after).map((row) => {
      this.#rows.keep(row)
      return positionOf(row)
    })
  }

  *#unwrittenPlaces(campaign: number, isMeant: (place: QueuePosition) => boolean): Iterable<QueuePosition> {
    for (const lead of this.#rows.unwritten)
      if (lead.status === 'queued' && lead.campaign === campaign && isMeant(lead)) yield positionOf(lead)
  }

  #firstOfOthers(campaign: number, keys: readonly number[]): Lead | null {
    const query = sql`SELECT * FROM ${tables.leads} WHERE tenant = ? AND campaign = ? AND status = 'queued'
      AND (key IS NULL OR key NOT IN (${keys.map(() => '?').join(',')}))
      ORDER BY call_now DESC, line_at, arrival LIMIT 1`
    const row = this.#rows.store.one<Lead>(query, this.#rows.tenant, campaign, ...keys)
    return row ? this.#rows.keep(row) : null
  }

  /** Row numbers of the queued leads in dialing order. */
  numbers(campaign: number): number[] {
    return this.#rows.store
      .all<{ n: number }>(
        sql`SELECT n FROM ${tables.leads} WHERE tenant = ? AND campaign = ? AND status = 'queued' ORDER BY call_now DESC, line_at, arrival`,
        this.#rows.tenant,
        campaign,
      )
      .map(({ n }) => n)
  }

  /** How many queued leads of the campaign are dialed before this one. The API shows it as `place_in_line`. */
  countAhead(lead: Lead): number {
    const count = (condition: string, ...values: (string | number)[]) =>
      this.#rows.store.one<{ n: number }>(
        sql`SELECT count(*) AS n FROM ${tables.leads} WHERE tenant = ? AND campaign = ? AND status = 'queued' AND ${condition}`,
        this.#rows.tenant,
        lead.campaign,
        ...values,
      )?.n ?? 0
    const sameKind = count('call_now = ? AND (line_at, arrival) < (?, ?)', lead.call_now, lead.line_at, lead.arrival)
    return lead.call_now === 1 ? sameKind : sameKind + count('call_now = 1')
  }
}
