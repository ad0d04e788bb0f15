/** Finds the parts of a consent that rows of a file lack, before anything is sent. */
import { listFlags, listParts, missingParts, partsNamed, type ConsentPart } from '../consent-parts.js'
import { LineList } from '../line-list.js'
import { amount } from '../result-sentence.js'
import type { RawRow } from '../rows.js'

export class ConsentGaps {
  readonly #rows = new LineList()
  readonly #parts = new Map<ConsentPart['name'], LineList>()

  add(line: number, missing: readonly ConsentPart[]): void {
    if (missing.length > 0) this.#rows.add(line)
    for (const { name } of missing) {
      const lines = this.#parts.get(name) ?? new LineList()
      lines.add(line)
      this.#parts.set(name, lines)
    }
  }

  /** The rows whose consent lacks the part; undefined if there are none. */
  linesWithout(part: ConsentPart['name']): LineList | undefined {
    return this.#parts.get(part)
  }

  /** The warning, with the flags that complete the consent. No lines if every consent is whole. */
  describe(): string[] {
    const { count } = this.#rows
    if (count === 0) return []
    const missing = partsNamed(new Set(this.#parts.keys()))
    return [
      `Warning: ${amount(count, 'rows')} ${count === 1 ? 'has' : 'have'} an incomplete consent, without ${listParts(missing)} (${this.#rows.describe()}), and will be refused.`,
      `Add ${listFlags(missing)} for all rows, or ignore the columns of the consent: --map "<column>=".`,
    ]
  }
}

/** Rows that cannot be read have no consent. */
export async function findConsentGaps(
  rows: AsyncIterable<RawRow>,
  { make, problem }: { make: (row: RawRow) => { consent?: unknown }; problem: (row: RawRow) => string | undefined },
): Promise<ConsentGaps> {
  const gaps = new ConsentGaps()
  for await (const row of rows) if (problem(row) === undefined) gaps.add(row.line, missingParts(make(row).consent))
  return gaps
}
