/** Appointments: what is to be done when, by time and then in the order they were made. The same key replaces. */
import type { Instant } from '../kernel/instant.js'
import type { Store } from './store.js'
import type { Task } from './task.js'

export interface Appointment {
  /** Its place among those of the same moment. */
  seq: number
  key: string
  at: Instant
  task: Task
}

type AppointmentRow = Omit<Appointment, 'task'> & { task: string }
const read = (row: AppointmentRow): Appointment => ({ ...row, task: JSON.parse(row.task) as Task })

export class Agenda {
  constructor(readonly store: Store) {}

  /** Makes an appointment; one with the same key is replaced and goes behind those already made for that moment. */
  put(key: string, at: Instant, task: Task): void {
    this.store.run(
      `INSERT OR REPLACE INTO agenda (at, seq, key, task)
       VALUES (?, (SELECT coalesce(max(seq), 0) + 1 FROM agenda WHERE at = ?), ?, ?)`,
      at,
      at,
      key,
      JSON.stringify(task),
    )
  }

  /** As `put`, but an appointment with that key for that very moment or an earlier one is left as it is. */
  ensure(key: string, at: Instant, task: Task): void {
    const existing = this.at(key)
    if (existing === null || existing > at) this.put(key, at, task)
  }

  at(key: string): Instant | null {
    return this.store.one<{ at: Instant }>('SELECT at FROM agenda WHERE key = ?', key)?.at ?? null
  }

  cancel(key: string): void {
    this.store.run('DELETE FROM agenda WHERE key = ?', key)
  }

  /** The next appointment, at or before `until` when that is given. It stays on the agenda. */
  next(until?: Instant): Appointment | null {
    const row = this.store.one<AppointmentRow>('SELECT seq, key, at, task FROM agenda ORDER BY at, seq LIMIT 1')
    return row && (until === undefined || row.at <= until) ? read(row) : null
  }

  done(appointment: Appointment): void {
    this.store.run('DELETE FROM agenda WHERE at = ? AND seq = ?', appointment.at, appointment.seq)
  }

  /** The next so many, for people to look at. */
  coming(limit: number): Appointment[] {
    return this.store
      .all<AppointmentRow>('SELECT seq, key, at, task FROM agenda ORDER BY at, seq LIMIT ?', limit)
      .map(read)
  }
}
