/**
 * The agenda: a queue of appointments ordered by time, then by creation. A new appointment replaces the one with the
 * same key.
 * It keeps the next appointments in memory. An appointment made and finished within one transaction is never written to
 * the store.
 */
import type { Instant } from '../kernel/instant.js'
import { QueueHead, defaultSizes } from '../storage/queue-head.js'
import type { Store, Value } from '../storage/store.js'
import type { Task } from './task.js'
import type { Cache } from '../storage/caches.js'
import { sql } from '../storage/sql.js'
import { tables } from '../storage/tables.js'

export interface Appointment {
  /** Creation order. Appointments with the same time run in this order. */
  seq: number
  key: string
  at: Instant
  task: Task
}

type AppointmentRow = Omit<Appointment, 'task'> & { task: string }
const readAppointment = (row: AppointmentRow): Appointment => ({ ...row, task: JSON.parse(row.task) as Task })
const compareAppointments = (a: Appointment, b: Appointment): number => a.at - b.at || a.seq - b.seq

/** An appointment in memory. */
interface Kept extends Appointment {
  /** False once the appointment is replaced, cancelled or finished. */
  stands: boolean
  /** Whether the in-memory queue head holds it. If so, it stays in memory after it is written. */
  near: boolean
}

/** The current state of one key. */
interface Entry {
  key: string
  appointment: Kept | null
  /** Whether the store may hold a row with this key. */
  stored: boolean
  /** Whether the stored row is out of date and must be written. */
  isDirty: boolean
}

const columns = ['at', 'seq', 'key', 'task'] as const

const next = sql`SELECT at, seq, key, task FROM ${tables.agenda} WHERE (at, seq) > (?, ?) ORDER BY at, seq LIMIT ?`

/** Sorts before every instant. */
const first = Number.MIN_SAFE_INTEGER

/** Name of the setting that holds the last sequence number. */
const setting = 'appointments'

export class Agenda implements Cache {
  readonly table = tables.agenda
  readonly #front: QueueHead<Kept>
  /** Keys with an appointment in the queue head, or with a change that is not written yet. */
  readonly #entries = new Map<string, Entry>()
  #dirty: Entry[] = []
  #lastSeq: number | null = null

  constructor(
    readonly store: Store,
    sizes = defaultSizes,
  ) {
    store.register(this)
    const source = {
      stored: (after: Kept | undefined, limit: number) =>
        store
          .stored<AppointmentRow>(next, after?.at ?? first, after?.seq ?? 0, limit)
          .map((row) => this.#bringNear(row)),
      unwritten: (isMeant: (appointment: Kept) => boolean) => this.#bringDirtyNear(isMeant),
    }
    this.#front = new QueueHead(compareAppointments, source, ({ stands }) => stands, sizes)
  }

  /**
   * Adds an appointment and removes any other with the same key. It runs after those that already exist for the same
   * time.
   * `first` promises that the key was never used before, so no stored row has to be replaced.
   */
  put(key: string, at: Instant, task: Task, { first = false } = {}): void {
    const appointment = { seq: this.#nextSeq(), key, at, task, stands: true, near: false }
    appointment.near = this.#front.add(appointment)
    this.#change(key, appointment, !first)
  }

  /** Turns a stored row into an appointment for the queue head, even if a change in memory has replaced it. */
  #bringNear(row: AppointmentRow): Kept {
    const entry = this.#entries.get(row.key)
    if (entry?.appointment?.seq === row.seq) return entry.appointment
    const appointment = { ...readAppointment(row), stands: !entry, near: !entry }
    if (!entry) this.#entries.set(row.key, { key: row.key, appointment, stored: true, isDirty: false })
    return appointment
  }

  *#bringDirtyNear(isMeant: (appointment: Kept) => boolean): Iterable<Kept> {
    for (const { appointment } of this.#dirty) {
      if (!appointment || !isMeant(appointment)) continue
      appointment.near = true
      yield appointment
    }
  }

  #change(key: string, appointment: Kept | null, stored = true): void {
    let entry = this.#entries.get(key)
    if (!entry) this.#entries.set(key, (entry = { key, appointment: null, stored, isDirty: false }))
    if (entry.appointment) entry.appointment.stands = false
    entry.appointment = appointment
    if (!entry.isDirty) {
      entry.isDirty = true
      this.#dirty.push(entry)
    }
    this.store.markDirty(this)
  }

  /** Like `put`, but keeps an existing appointment with the same key if it is at that time or earlier. */
  ensure(key: string, at: Instant, task: Task): void {
    const existing = this.at(key)
    if (existing === null || existing > at) this.put(key, at, task)
  }

  at(key: string): Instant | null {
    const entry = this.#entries.get(key)
    if (entry) return entry.appointment?.at ?? null
    return this.store.stored<{ at: Instant }>(sql`SELECT at FROM ${tables.agenda} WHERE key = ?`, key)[0]?.at ?? null
  }

  cancel(key: string): void {
    this.#change(key, null)
  }

  /** Returns the next appointment, if it is due by `until`. It stays on the agenda. */
  next(until?: Instant): Appointment | null {
    const next = this.#front.first()
    return next && (until === undefined || next.at <= until) ? next : null
  }

  remove({ key }: Appointment): void {
    this.cancel(key)
  }

  /** The next appointments, for display. */
  upcoming(limit: number): Appointment[] {
    return this.store.all<AppointmentRow>(next, first, 0, limit).map(readAppointment)
  }

  flush(): void {
    const made: Value[][] = []
    const replaced: Value[][] = []
    for (const entry of this.#dirty) {
      const { key, appointment, stored } = entry
      if (appointment)
        (stored ? replaced : made).push([appointment.at, appointment.seq, key, JSON.stringify(appointment.task)])
      else if (stored) this.store.run(sql`DELETE FROM ${tables.agenda} WHERE key = ?`, key)
      if (!appointment?.near) this.#entries.delete(key)
      entry.stored = appointment !== null
      entry.isDirty = false
    }
    this.store.insertAll(tables.agenda, columns, made)
    this.store.insertAll(tables.agenda, columns, replaced, 'INSERT OR REPLACE')
    this.#dirty = []
    if (this.#lastSeq === null) return
    this.store.run(
      sql`INSERT OR REPLACE INTO ${tables.settings} (name, value) VALUES (?, ?)`,
      setting,
      String(this.#lastSeq),
    )
  }

  #nextSeq(): number {
    this.#lastSeq ??= Number(
      this.store.one<{ value: string }>(sql`SELECT value FROM ${tables.settings} WHERE name = ?`, setting)?.value ?? 0,
    )
    return ++this.#lastSeq
  }

  invalidate(): void {
    this.#front.invalidate()
    this.#entries.clear()
    this.#dirty = []
    this.#lastSeq = null
  }
}
