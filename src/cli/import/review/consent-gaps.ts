/** Finds what the consents of a file lack, and dates that leave open which moment they mean, before anything is sent. */
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { cutTo } from '../../../output/table/width.js'
import { UnclearDates } from '../consent-dates.js'
import { listFlags, listParts, missingParts, partsNamed, unclearDate, type ConsentPart } from '../consent-parts.js'
import { LineList } from '../line-list.js'
import { amount } from '../result-sentence.js'
import { lineToName, type RawRow } from '../rows.js'

const sampleWidth = 30

export class ConsentGaps {
  /** The rows that lack the same parts, by the names of these parts. */
  readonly #groups = new Map<string, { missing: readonly ConsentPart[]; lines: LineList }>()
  readonly #parts = new Map<ConsentPart['name'], LineList>()
  readonly #dates = new UnclearDates()

  add(line: number, consent: unknown): void {
    const missing = missingParts(consent)
    for (const { name } of missing) this.#add(line, name)
    if (missing.length > 0) this.#groupOf(missing).add(line)
    const date = unclearDate(consent)
    if (date) this.#dates.add(line, date.text, date.fault)
  }

  #add(line: number, name: ConsentPart['name']): void {
    const lines = this.#parts.get(name) ?? new LineList()
    lines.add(line)
    this.#parts.set(name, lines)
  }

  #groupOf(missing: readonly ConsentPart[]): LineList {
    const key = missing.map(({ name }) => name).join(' ')
    const group = this.#groups.get(key) ?? { missing, lines: new LineList() }
    this.#groups.set(key, group)
    return group.lines
  }

  /** The rows whose consent lacks the part; undefined if there are none. */
  linesWithout(part: ConsentPart['name']): LineList | undefined {
    return this.#parts.get(part)
  }

  /** The warnings, one for the rows that lack the same parts, and what completes them. No lines if every consent is whole. */
  describe(): string[] {
    const warnings = [...this.#groups.values()].map(({ missing, lines }) => {
      const have = `${amount(lines.count, 'rows')} ${lines.count === 1 ? 'has' : 'have'}`
      return `Warning: ${have} an incomplete consent, without ${listParts(missing)} (${lines.describe()}), and will be refused.`
    })
    const missing = partsNamed(new Set(this.#parts.keys()))
    const completed = `Add ${listFlags(missing)} for all rows, or ignore the columns of the consent: --map "<column>=".`
    return [...warnings, ...(warnings.length > 0 ? [completed] : []), ...this.#dates.describe(shorten)]
  }
}

const shorten = (text: string): string => cutTo(sampleWidth, stripControlsFromLine(text))

/** Rows that cannot be read have no consent. */
export async function findConsentGaps(
  rows: AsyncIterable<RawRow>,
  { make, problem }: { make: (row: RawRow) => { consent?: unknown }; problem: (row: RawRow) => string | undefined },
): Promise<ConsentGaps> {
  const gaps = new ConsentGaps()
  for await (const row of rows) if (problem(row) === undefined) gaps.add(lineToName(row), make(row).consent)
  return gaps
}
