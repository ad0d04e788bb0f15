/**
 * Finds leads by text and by the reason they wait. No index covers texts, so a search reads leads from the newest to the
 * oldest, for a limited time. A search that ran out of time names the lead from which it continues.
 */
import { HeldReason, type LeadStatus, type ScheduledReason } from '../../src/contract/leads.js'
import { ListFilter } from '../storage/list-filter.js'
import { sql } from '../storage/sql.js'
import type { Store } from '../storage/store.js'
import { tables } from '../storage/tables.js'
import type { Lead } from './lead.js'

export interface LeadQuestion {
  campaign?: number | undefined
  status?: LeadStatus | undefined
  reason?: ScheduledReason | HeldReason | undefined
  /** Part of the name, the phone number or the external id. */
  text?: string | undefined
}

export interface LeadsFound {
  leads: Lead[]
  /** Number of the lead from which to continue; null at the end. */
  next: number | null
  /** Whether the search ran out of time. */
  isPartial: boolean
}

/** Leads read between two looks at the time. */
const chunk = 5_000
/** A number with this many digits is looked up by its index: not many more leads than 10,000 share them. */
const indexedDigits = 6

export class LeadSearch {
  constructor(
    readonly store: Store,
    readonly tenant: number,
    /** False when the time for one search is over. */
    readonly hasTime: () => boolean,
  ) {}

  /** Leads older than number `before`, newest first, at most `limit`. */
  find(question: LeadQuestion, before: number | null, limit: number): LeadsFound {
    const digits = digitsOf(question.text)
    if (digits !== null && digits.length >= indexedDigits) return this.#byPhone(digits, question, before, limit)
    const top = this.store.one<{ n: number | null }>(sql`SELECT max(n) AS n FROM ${tables.leads}`)?.n ?? 0
    const leads: Lead[] = []
    let end = Math.min(before ?? top + 1, top + 1)
    while (end > 1 && leads.length < limit) {
      const start = Math.max(1, end - chunk)
      const where = this.#where(question).where('n >= ?', start).where('n < ?', end)
      leads.push(...this.#read(where, indexFor(question), 'n DESC', limit - leads.length))
      end = start
      if (leads.length < limit && end > 1 && !this.hasTime()) return { leads, next: end, isPartial: true }
    }
    const isFull = leads.length === limit
    return { leads, next: isFull ? (leads.at(-1)?.n ?? null) : null, isPartial: false }
  }

  #byPhone(digits: string, question: LeadQuestion, before: number | null, limit: number): LeadsFound {
    const first = `+${digits.startsWith('1') ? '' : '1'}${digits}`
    const where = this.#where({ ...question, text: undefined })
      .where('phone >= ?', first)
      .where('phone < ?', `${first}:`)
      .where('+n < ?', before ?? undefined)
    const older = this.#read(where, 'INDEXED BY leads_by_phone', '+n DESC', limit + 1)
    const leads = older.slice(0, limit)
    return { leads, next: older.length > limit ? (leads.at(-1)?.n ?? null) : null, isPartial: false }
  }

  #where({ campaign, status, reason, text }: LeadQuestion): ListFilter {
    const where = new ListFilter()
      .where('tenant = ?', this.tenant)
      .where('campaign = ?', campaign)
      .where('status = ?', status)
    if (reason === 'outside_calling_hours') where.add(`status = 'scheduled' AND scheduled_reason IS NULL`)
    else if (reason !== undefined) {
      const isHeld = HeldReason.safeParse(reason).success
      where.where('status = ?', isHeld ? 'held' : 'scheduled').add('follows_hours = 0')
      where.where(`${isHeld ? 'held_reason' : 'scheduled_reason'} = ?`, reason)
    }
    if (text === undefined) return where
    const pattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
    const digits = digitsOf(text)
    return digits === null
      ? where.add(`(name LIKE ? ESCAPE '\\' OR external_id LIKE ? ESCAPE '\\')`).value(pattern, pattern)
      : where
          .add(`(instr(phone, ?) > 0 OR name LIKE ? ESCAPE '\\' OR external_id LIKE ? ESCAPE '\\')`)
          .value(digits, pattern, pattern)
  }

  #read(where: ListFilter, index: string, order: string, limit: number): Lead[] {
    const query = sql`SELECT * FROM ${tables.leads} ${index} WHERE ${where.sql} ORDER BY ${order} LIMIT ?`
    return this.store.all<Lead>(query, ...where.values, limit)
  }
}

/** The index on status holds every lead that waits for another reason than its hours. Other leads are read in order. */
const indexFor = ({ reason }: LeadQuestion): string =>
  reason === undefined || reason === 'outside_calling_hours' ? 'NOT INDEXED' : 'INDEXED BY leads_by_status'

/** The digits of a text that can be part of a phone number; null for other texts. */
function digitsOf(text: string | undefined): string | null {
  if (text === undefined || !/^[\d\s().+-]*\d[\d\s().+-]*$/.test(text)) return null
  return text.replaceAll(/\D/g, '')
}
