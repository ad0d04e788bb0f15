/**
 * Appointments: what is to be done when, by time and then in the order they were made. The same key replaces.
 * The next ones are kept in memory, and what is made and done within one transaction is never written.
 */
import type { Instant } from '../kernel/instant.js'
import { QueueHead, defaultSizes } from '../storage/queue-head.js'
import type { Store, Unwritten, Value } from '../storage/store.js'
import type { Task } from './task.js'

export interface Appointment {
  /** Its place among all that were made: those of the same moment are done in this order. */
  seq: number
  key: string
  at: Instant
  task: Task
}

type AppointmentRow = Omit<Appointment, 'task'> & { task: string }
const readAppointment = (row: AppointmentRow): Appointment => ({ ...row, task: JSON.parse(row.task) as Task })
const compareAppointments = (a: Appointment, b: Appointment): number => a.at - b.at || a.seq - b.seq

/** One that is kept in memory. */
interface Kept extends Appointment {
  /** It was not replaced, cancelled or done. */
  stands: boolean
  /** It is among the next ones, and kept when it is written. */
  near: boolean
}

/** What is true of a key. */
interface Entry {
  key: string
  appointment: Kept | null
  /** The store may hold one of that key. */
  stored: boolean
  /** What the store holds is not what is true: it is still to be written. */
  owed: boolean
}

const columns = ['at', 'seq', 'key', 'task'] as const

const next = 'SELECT at, seq, key, task FROM agenda WHERE (at, seq) > (?, ?) ORDER BY at, seq LIMIT ?'

/** Before every moment. */
const first = Number.MIN_SAFE_INTEGER

/** Where the last number given is kept. */
const setting = 'appointments'

export class Agenda implements Unwritten {
  readonly #front: QueueHead<Kept>
  /** Of keys whose appointment is near or is still to be written. */
  readonly #entries = new Map<string, Entry>()
  #owed: Entry[] = []
  #lastSeq: number | null = null

  constructor(
    readonly store: Store,
    sizes = defaultSizes,
  ) {
    const source = {
      stored: (after: Kept | undefined, limit: number) =>
        store
          .stored<AppointmentRow>(next, after?.at ?? first, after?.seq ?? 0, limit)
          .map((row) => this.#bringNear(row)),
      owed: (isMeant: (appointment: Kept) => boolean) => this.#bringOwedNear(isMeant),
    }
    this.#front = new QueueHead(compareAppointments, source, ({ stands }) => stands, sizes)
  }

  /**
   * Makes an appointment; one with the same key is replaced and goes behind those already made for that moment.
   * `first`: no other was ever made with that key, so that none has to be looked for.
   */
  put(key: string, at: Instant, task: Task, { first = false } = {}): void {
    const appointment = { seq: this.#nextSeq(), key, at, task, stands: true, near: false }
    appointment.near = this.#front.add(appointment)
    this.#change(key, appointment, !first)
  }

  /** One that the store holds, whether it stands or not. */
  #bringNear(row: AppointmentRow): Kept {
    const entry = this.#entries.get(row.key)
    if (entry?.appointment?.seq === row.seq) return entry.appointment
    const appointment = { ...readAppointment(row), stands: !entry, near: !entry }
    if (!entry) this.#entries.set(row.key, { key: row.key, appointment, stored: true, owed: false })
    return appointment
  }

  *#bringOwedNear(isMeant: (appointment: Kept) => boolean): Iterable<Kept> {
    for (const { appointment } of this.#owed) {
      if (!appointment || !isMeant(appointment)) continue
      appointment.near = true
      yield appointment
    }
  }

  #change(key: string, appointment: Kept | null, stored = true): void {
    let entry = this.#entries.get(key)
    if (!entry) this.#entries.set(key, (entry = { key, appointment: null, stored, owed: false }))
    if (entry.appointment) entry.appointment.stands = false
    entry.appointment = appointment
    if (!entry.owed) {
      entry.owed = true
      this.#owed.push(entry)
    }
    this.store.owe('agenda', this)
  }

  /** As `put`, but an appointment with that key for that very moment or an earlier one is left as it is. */
  ensure(key: string, at: Instant, task: Task): void {
    const existing = this.at(key)
    if (existing === null || existing > at) this.put(key, at, task)
  }

  at(key: string): Instant | null {
    const entry = this.#entries.get(key)
    if (entry) return entry.appointment?.at ?? null
    return this.store.stored<{ at: Instant }>('SELECT at FROM agenda WHERE key = ?', key)[0]?.at ?? null
  }

  cancel(key: string): void {
    this.#change(key, null)
  }

  /** The next appointment, at or before `until` when that is given. It stays on the agenda. */
  next(until?: Instant): Appointment | null {
    const next = this.#front.first()
    return next && (until === undefined || next.at <= until) ? next : null
  }

  remove({ key }: Appointment): void {
    this.cancel(key)
  }

  /** The next so many, for people to look at. */
  upcoming(limit: number): Appointment[] {
    return this.store.all<AppointmentRow>(next, first, 0, limit).map(readAppointment)
  }

  flush(): void {
    const made: Value[] = []
    const replaced: Value[] = []
    for (const entry of this.#owed) {
      const { key, appointment, stored } = entry
      if (appointment)
        (stored ? replaced : made).push(appointment.at, appointment.seq, key, JSON.stringify(appointment.task))
      else if (stored) this.store.run('DELETE FROM agenda WHERE key = ?', key)
      if (!appointment?.near) this.#entries.delete(key)
      entry.stored = appointment !== null
      entry.owed = false
    }
    this.store.insertAll('agenda', columns, made)
    this.store.insertAll('agenda', columns, replaced, 'INSERT OR REPLACE')
    this.#owed = []
    if (this.#lastSeq === null) return
    this.store.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', setting, String(this.#lastSeq))
  }

  #nextSeq(): number {
    this.#lastSeq ??= Number(
      this.store.one<{ value: string }>('SELECT value FROM settings WHERE name = ?', setting)?.value ?? 0,
    )
    return ++this.#lastSeq
  }

  /** To be called when rows may have gone back or been replaced. */
  invalidate(): void {
    this.#front.invalidate()
    this.#entries.clear()
    this.#owed = []
    this.#lastSeq = null
  }
}
