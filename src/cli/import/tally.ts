/** What became of the rows so far. */

export type Outcome = { kind: 'added' } | { kind: 'requeued' } | { kind: 'refused'; code: string; message: string }

export interface Counts {
  added: number
  /** Leads that were there already and are back in the queue. */
  requeued: number
  refused: number
  /** How many were refused with each code. */
  by_code: Record<string, number>
  /** Those among all of them that an earlier run had sent: the service gave its first answer again. */
  replayed: number
}

export const nothing = (): Counts => ({ added: 0, requeued: 0, refused: 0, by_code: {}, replayed: 0 })

export function count(counts: Counts, outcome: Outcome): void {
  counts[outcome.kind]++
  if (outcome.kind === 'refused') counts.by_code[outcome.code] = (counts.by_code[outcome.code] ?? 0) + 1
}

export const done = ({ added, requeued, refused }: Counts): number => added + requeued + refused
