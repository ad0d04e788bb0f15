/** Counts of the rows by result. */

export type Outcome = { kind: 'added' } | { kind: 'requeued' } | { kind: 'refused'; code: string; message: string }

export interface Counts {
  added: number
  /** Existing leads that were queued again. */
  requeued: number
  refused: number
  /** Refused rows by error code. */
  by_code: Record<string, number>
  /** Rows answered from an earlier run: the service replayed its first answer (rule I2). */
  replayed: number
}

export const nothing = (): Counts => ({ added: 0, requeued: 0, refused: 0, by_code: {}, replayed: 0 })

export function count(counts: Counts, outcome: Outcome): void {
  counts[outcome.kind]++
  if (outcome.kind === 'refused') counts.by_code[outcome.code] = (counts.by_code[outcome.code] ?? 0) + 1
}

export const done = ({ added, requeued, refused }: Counts): number => added + requeued + refused
