/** Which column of a file becomes which field of a lead: matched by name, asked for, and corrected by a person. */
import { localZone } from '../../../output/time.js'
import { UsageError } from '../../errors/usage-error.js'
import { quoteForShell } from '../../input/shell-word.js'
import { leadFields } from '../lead-target.js'
import { ColumnQuestions, correctionsOf, describeChanges, replaceMaps } from '../review/change-columns.js'
import { listIgnored, matchColumns, MissingColumnError, type Matching } from '../source/columns.js'
import { columnsOf } from '../source/combined-columns.js'
import { findPhoneColumns, phoneColumnChoices } from '../source/phone-column.js'
import type { ImportSource } from '../source/source.js'
import type { LeadImport } from './lead-import.js'

export class LeadColumns {
  readonly #given: LeadImport
  readonly #source: ImportSource
  readonly #questions: ColumnQuestions
  /** Values of --map that the command line to repeat has already. */
  #known: readonly string[]
  #maps: readonly string[]

  constructor(given: LeadImport, source: ImportSource) {
    this.#given = given
    this.#source = source
    this.#maps = this.#known = given.flags.map ?? []
    this.#questions = new ColumnQuestions((...needs) => given.command.promptForMissing(...needs), source.table)
  }

  /** Asks which column is the phone, if a person is there to ask and no header is known. Names the ignored columns. */
  async match(): Promise<Matching> {
    const matching = await this.#matchOrAsk()
    const { ignored } = matching
    const are = ignored.length === 1 ? 'it as a custom field' : 'them as custom fields'
    if (ignored.length > 0) this.#given.ui.say(`${listIgnored(matching)} --fields-from-rest sends ${are}.`)
    await this.#nameIgnoredPhones(matching)
    this.#nameLocalTimes(matching)
    return matching
  }

  /** A person may have another number there, which nobody calls. */
  async #nameIgnoredPhones({ fields, ignored }: Matching): Promise<void> {
    const { table } = this.#source
    const names = ignored.map(({ column }) => column)
    const phones = await findPhoneColumns(table.columns, table.rows())
    const found = table.columns.filter((name, at) => phones.has(at) && fields[at] === undefined && names.includes(name))
    const used = columnsOf(fields, 'phone').map((at) => table.columns[at])
    const all = used.map((column) => `--map "${column}=phone"`).join(' ')
    for (const name of found)
      this.#given.ui.say(
        `The ignored column ${name} has phone numbers. --map "${name}=phone" calls these instead of those of ${used.join(' and ')}; ${all} --map "${name}=phone" calls them where ${used.join(' and ')} ${used.length === 1 ? 'has' : 'have'} none.`,
      )
  }

  /** The date of a consent is proof, so the person must know in which zone it is read. */
  #nameLocalTimes({ fields }: Matching): void {
    const { columns, localTimes } = this.#source.table
    const at = fields.indexOf('consent.agreed_at')
    if (localTimes?.has(at))
      this.#given.ui.say(
        `The times of the column ${columns[at] ?? ''} have no time zone in the workbook. They are read in the time zone of this machine: ${localZone()}.`,
      )
  }

  async #matchOrAsk(): Promise<Matching> {
    const { command } = this.#given
    const { table } = this.#source
    try {
      return this.#matchWith(this.#maps)
    } catch (error) {
      if (!(error instanceof MissingColumnError) || !command.isInteractive) throw error
      const found = await phoneColumnChoices(table.columns, table.rows())
      if (found.length === 0) throw error
      const choices = () => Promise.resolve(found)
      const label = 'Which column is the phone'
      const [map = ''] = await command.promptForMissing({ flag: '--map', label, value: undefined, choices })
      this.#maps = [...this.#maps, map]
      this.#known = [...this.#known, map]
      return this.#matchWith(this.#maps)
    }
  }

  #matchWith(maps: readonly string[]): Matching {
    const { name, table } = this.#source
    const fieldsFromRest = this.#given.flags['fields-from-rest']
    return matchColumns(table.columns, { file: name, known: leadFields, required: 'phone', fieldsFromRest, maps })
  }

  /** Asks for columns and their fields until the person goes on. */
  async correct({ fields }: Matching): Promise<void> {
    let now = fields
    for (;;) {
      const column = await this.#questions.askForColumn(now, now !== fields)
      if (column === undefined) return
      const changes = await this.#questions.askForField(column, leadFields, now)
      if (changes === undefined) continue
      const maps = replaceMaps(this.#maps, changes, leadFields)
      try {
        const after = this.#matchWith(maps).fields
        const changed = describeChanges(this.#source.table.columns, column, now, after)
        for (const line of changed) this.#given.ui.tell(line)
        now = after
        this.#maps = maps
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        const isPhoneMissing = error instanceof MissingColumnError
        this.#given.ui.tell(
          isPhoneMissing
            ? 'Then no column would be the phone. Say first which other column is the phone.'
            : error.message,
        )
      }
    }
  }

  /** The corrections as words of a command line. */
  get answers(): string[] {
    return correctionsOf(this.#known, this.#maps).flatMap((map) => ['--map', quoteForShell(map)])
  }
}
