/**
 * Which numbers imports have sent to a campaign, as digests in files next to the journals. A changed file is a new import with
 * other Idempotency-Keys; these files tell who of it is in the campaign already. They are deleted with the journals.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ApiError } from '../../client/errors.js'
import { parsePhone } from '../../phone/number.js'
import type { LeadInput } from './lead-target.js'
import type { RawRow } from './rows.js'
import type { ImportTarget } from './target.js'

const ending = '.people'

/** Numbers in memory, so that it does not grow with the files. */
const numbersMax = 200_000

/** One line of a file: digests of the numbers of a batch, before it is sent and after its answer. */
interface Entry {
  /** Lines of the file that the import leaves out, because their people were added before. */
  left_out?: number[]
  sent?: string[]
  added?: string[]
  refused?: string[]
}

export interface KnownRows {
  total: number
  /** Rows with a number that an earlier import added. */
  added: number
  /** Rows with a number that an earlier import sent without getting an answer. */
  unanswered: number
  /** False if there are too many numbers to compare with all. */
  isExact: boolean
}

export class SentPeople {
  readonly #folder: string
  readonly #scope: unknown

  /** `scope` identifies the account and the campaign. Numbers of another scope never match. */
  constructor(folder: string, scope: unknown) {
    this.#folder = folder
    this.#scope = scope
  }

  /** The same target, which records what it sends under the name of the journal, and the lines that were left out. */
  recordSent(target: ImportTarget<LeadInput>, name: string, leftOut?: ReadonlySet<number>): ImportTarget<LeadInput> {
    const append = (entry: Entry) => appendFileSync(this.#path(name), `${JSON.stringify(entry)}\n`, { mode: 0o600 })
    if (leftOut && this.#leftOutBefore(name) === undefined) append({ left_out: [...leftOut] })
    const digests = (leads: readonly LeadInput[]) => leads.flatMap(({ phone }) => this.#digest(phone) ?? [])
    return {
      ...target,
      send: async (leads, options) => {
        append({ sent: digests(leads) })
        try {
          const delivered = await target.send(leads, options)
          const isAdded = (_lead: LeadInput, at: number) => (delivered.outcomes[at]?.kind ?? 'refused') !== 'refused'
          const added = digests(leads.filter(isAdded))
          append({ added, refused: digests(leads.filter((lead, at) => !isAdded(lead, at))) })
          return delivered
        } catch (error) {
          if (error instanceof ApiError && error.status < 500) append({ refused: digests(leads) })
          throw error
        }
      },
    }
  }

  /**
   * Lines with numbers that earlier imports added. If an import of this name began before, the lines that it left out: its
   * journal counts the other rows.
   */
  async linesAdded(rows: AsyncIterable<RawRow>, target: ImportTarget<LeadInput>, name: string): Promise<Set<number>> {
    const before = this.#leftOutBefore(name)
    if (before) return new Set(before)
    const lines = new Set<number>()
    const { added } = this.#read()
    if (added.size === 0) return lines
    for await (const row of rows) {
      const digest = this.#digestOf(row, target)
      if (digest !== undefined && added.has(digest)) lines.add(row.line)
    }
    return lines
  }

  /** False if there are too many numbers to compare with all. */
  get isExact(): boolean {
    return this.#read().isExact
  }

  #leftOutBefore(name: string): number[] | undefined {
    const path = this.#path(name)
    return existsSync(path) ? entriesOf(path).find((entry) => entry.left_out)?.left_out : undefined
  }

  #path(name: string): string {
    return join(this.#folder, `${name}${ending}`)
  }

  /** Counts the rows that earlier imports sent. Undefined if there are none. */
  async count(rows: AsyncIterable<RawRow>, target: ImportTarget<LeadInput>): Promise<KnownRows | undefined> {
    const { added, unanswered, isExact } = this.#read()
    if (added.size + unanswered.size === 0) return undefined
    const known: KnownRows = { total: 0, added: 0, unanswered: 0, isExact }
    for await (const row of rows) {
      known.total += 1
      const digest = this.#digestOf(row, target)
      if (digest === undefined) continue
      if (added.has(digest)) known.added += 1
      else if (unanswered.has(digest)) known.unanswered += 1
    }
    return known.added + known.unanswered > 0 ? known : undefined
  }

  #read(): { added: Set<string>; unanswered: Set<string>; isExact: boolean } {
    const [added, unanswered] = [new Set<string>(), new Set<string>()]
    for (const name of readdirSync(this.#folder).filter((one) => one.endsWith(ending)))
      for (const entry of entriesOf(join(this.#folder, name))) {
        for (const digest of entry.sent ?? []) unanswered.add(digest)
        for (const digest of entry.refused ?? []) unanswered.delete(digest)
        for (const digest of entry.added ?? []) {
          unanswered.delete(digest)
          added.add(digest)
        }
        if (added.size + unanswered.size >= numbersMax) return { added, unanswered, isExact: false }
      }
    return { added, unanswered, isExact: true }
  }

  #digestOf(row: RawRow, target: ImportTarget<LeadInput>): string | undefined {
    return target.problem(row) === undefined ? this.#digest(target.make(row).phone) : undefined
  }

  #digest(phone: string): string | undefined {
    const number = parsePhone(phone)
    if (number.kind === 'invalid') return undefined
    return createHash('sha256')
      .update(JSON.stringify([this.#scope, number.e164]))
      .digest('base64url')
      .slice(0, 16)
  }
}

/** A line that a crash cut off is left out. */
function entriesOf(path: string): Entry[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return line === '' ? [] : [JSON.parse(line) as Entry]
      } catch {
        return []
      }
    })
}
