/** The rows of a leads import that are not sent, because a flag or a person says so. */
import { describePerson, type LeadInput } from '../lead-target.js'
import { columnsForMarks, leaveOutRows, markedRows } from '../review/leave-out.js'
import { leaveOutAdded, type Remaining } from '../review/leave-out-added.js'
import { tryAgain, type SecondTry } from '../review/try-again.js'
import type { RawRow } from '../rows.js'
import type { SentPeople } from '../sent-people.js'
import type { ImportSource } from '../source/source.js'
import type { ImportTarget } from '../target.js'
import type { LeadImport } from './lead-import.js'

export class RowsLeftOut {
  readonly #given: LeadImport
  readonly #all: ImportSource
  /** What the person said about marked rows. */
  #areMarkedLeftOut: boolean | undefined
  /** What the person said about refused rows of an earlier run. */
  #isTriedAgain: boolean | undefined
  /** What the person said about rows that an earlier import added. */
  #isAddedLeftOut: boolean | undefined

  constructor(given: LeadImport, all: ImportSource) {
    this.#given = given
    this.#all = all
    this.#isTriedAgain = given.flags.again || (given.isAsked && !given.ui.resume ? undefined : false)
    this.#isAddedLeftOut = given.flags['skip-added'] || (given.isAsked ? undefined : false)
  }

  /** The rows of people who may be called. After a correction of the columns, an answer stays. */
  async withoutMarked(target: ImportTarget<LeadInput>, fields: readonly (string | undefined)[]): Promise<ImportSource> {
    const { ui, flags, isAsked } = this.#given
    ui.leftOut = undefined
    if (this.#areMarkedLeftOut === false) return this.#all
    return leaveOutRows(this.#all, ui, {
      kind: markedRows,
      isGiven: flags['skip-marked'] || this.#areMarkedLeftOut === true,
      isAsked,
      ...(await columnsForMarks(this.#all, fields)),
      describe: (row) => describePerson(target.make(row)),
      answered: (isYes) => (this.#areMarkedLeftOut = isYes),
    })
  }

  /** The rows that an earlier run refused; undefined if all rows are sent. */
  async onlyRefused(
    source: ImportSource,
    target: ImportTarget<LeadInput>,
    people: SentPeople,
  ): Promise<SecondTry | undefined> {
    const tried = await tryAgain(source, this.#given.ui, { people, target, isWanted: this.#isTriedAgain })
    // After a correction of the columns, it is another import.
    if (tried) this.#isTriedAgain = true
    return tried
  }

  /** The rows of people who are not in the campaign. They depend on the columns. */
  async withoutAdded(source: ImportSource, target: ImportTarget<LeadInput>, people: SentPeople): Promise<Remaining> {
    const describe = (row: RawRow) => describePerson(target.make(row))
    const options = { people, target, isWanted: this.#isAddedLeftOut, describe }
    const rest = await leaveOutAdded(source, this.#given.ui, options)
    this.#isAddedLeftOut = rest.isWanted
    return rest
  }
}
