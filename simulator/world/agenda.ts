/**
 * Appointments: what is to be done when, by time and then in the order they were made. The same key replaces.
 * The next ones are kept in memory, and what is made and done within one transaction is never written.
 */
import type { Instant } from '../kernel/instant.js'
import { Front, usualSizes } from './front.js'
import type { Store, Unwritten, Value } from './store.js'
import type { Task } from './task.js'

export interface Appointment {
  /** Its place among all that were made: those of the same moment are done in this order. */
  seq: number
  key: string
  at: Instant
  task: Task
}

type AppointmentRow = Omit<Appointment, 'task'> & { task: string }
const read = (row: AppointmentRow): Appointment => ({ ...row, task: JSON.parse(row.task) as Task })
const order = (a: Appointment, b: Appointment): number => a.at - b.at || a.seq - b.seq

/** What is still to be written of a key: its appointment, or that it has none any more. */
interface Change {
  appointment: Appointment | null
  /** The store may hold one of that key. */
  stored: boolean
}

const columns = ['at', 'seq', 'key', 'task'] as const

/** Where the last number given is kept. */
const setting = 'appointments'

export class Agenda implements Unwritten {
  readonly #front: Front<Appointment>
  /** Those at the front, by key; one that is not the one of its key was replaced, cancelled or done. */
  readonly #near = new Map<string, Appointment>()
  readonly #changes = new Map<string, Change>()
  #lastSeq: number | null = null

  constructor(
    readonly store: Store,
    sizes = usualSizes,
  ) {
    const read = (limit: number) => this.coming(limit).map((appointment) => this.#bringNear(appointment))
    const stands = (appointment: Appointment) => this.#near.get(appointment.key) === appointment
    this.#front = new Front(order, read, stands, sizes)
  }

  /**
   * Makes an appointment; one with the same key is replaced and goes behind those already made for that moment.
   * `first`: no other was ever made with that key, so that none has to be looked for.
   */
  put(key: string, at: Instant, task: Task, { first = false } = {}): void {
    const appointment = { seq: this.#nextSeq(), key, at, task }
    this.#change(key, appointment, first)
    this.#near.set(key, appointment)
    if (!this.#front.enter(appointment)) this.#near.delete(key)
  }

  #bringNear(appointment: Appointment): Appointment {
    const near = this.#near.get(appointment.key)
    if (near) return near
    this.#near.set(appointment.key, appointment)
    return appointment
  }

  #change(key: string, appointment: Appointment | null, first = false): void {
    const change = this.#changes.get(key)
    if (change?.stored === false && appointment === null) this.#changes.delete(key)
    else if (change) change.appointment = appointment
    else this.#changes.set(key, { appointment, stored: !first })
    this.store.owe('agenda', this)
  }

  /** As `put`, but an appointment with that key for that very moment or an earlier one is left as it is. */
  ensure(key: string, at: Instant, task: Task): void {
    const existing = this.at(key)
    if (existing === null || existing > at) this.put(key, at, task)
  }

  at(key: string): Instant | null {
    const change = this.#changes.get(key)
    if (change) return change.appointment?.at ?? null
    const near = this.#near.get(key)
    if (near) return near.at
    return this.store.stored<{ at: Instant }>('SELECT at FROM agenda WHERE key = ?', key)[0]?.at ?? null
  }

  cancel(key: string): void {
    this.#near.delete(key)
    this.#change(key, null)
  }

  /** The next appointment, at or before `until` when that is given. It stays on the agenda. */
  next(until?: Instant): Appointment | null {
    const next = this.#front.first()
    return next && (until === undefined || next.at <= until) ? next : null
  }

  done({ key }: Appointment): void {
    this.cancel(key)
  }

  /** The next so many, for people to look at. */
  coming(limit: number): Appointment[] {
    return this.store
      .all<AppointmentRow>('SELECT seq, key, at, task FROM agenda ORDER BY at, seq LIMIT ?', limit)
      .map(read)
  }

  write(): void {
    const made: Value[][] = []
    for (const [key, { appointment, stored }] of this.#changes) {
      if (stored) this.store.run('DELETE FROM agenda WHERE key = ?', key)
      if (appointment) made.push([appointment.at, appointment.seq, key, JSON.stringify(appointment.task)])
    }
    this.store.insertAll('agenda', columns, made)
    this.#changes.clear()
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
  forget(): void {
    this.#front.forget()
    this.#near.clear()
    this.#changes.clear()
    this.#lastSeq = null
  }
}
