/** Finds rows of a file that are about the person of an earlier row, before anything is sent. */
import { parsePhone } from '../../../phone/number.js'

/** What a row says about its person. */
export interface RowPerson {
  /** The number that is called. */
  phone: string
  /** Every number of the row, also those of columns that are not called. */
  numbers: readonly string[]
  externalId: string | undefined
  email: string | undefined
}

/**
 * A row with the number or the external id of an earlier row. The service refuses it as a duplicate; in a campaign without a
 * duplicate window it puts the lead back in the queue, unless number and id are those of two leads (rule D9).
 */
export type Repeat = 'repeated' | 'repeated_id' | 'requeued'

/** A row that is probably the person of an earlier row, with another number. */
export interface Likeness {
  /** Line of the earlier row. */
  line: number
  by: 'email' | 'number'
}

/** Rows are compared with this many keys of earlier rows, so that memory does not grow with the file. */
const keysMax = 200_000

/** The lead of an earlier row. */
interface KnownLead {
  line: number
  phone: string
  externalId: string | undefined
}

export class EarlierRows {
  /** The leads of the rows that will be sent, by what the service recognizes them by. */
  readonly #called = new Map<string, KnownLead>()
  readonly #ids = new Map<string, KnownLead>()
  /** Lines of these rows by e-mail, and by numbers that are not called. */
  readonly #emails = new Map<string, number>()
  readonly #others = new Map<string, number>()
  readonly #refusesRepeats: boolean

  /** `refusesRepeats` is false if the campaign has no duplicate window. */
  constructor(refusesRepeats: boolean) {
    this.#refusesRepeats = refusesRepeats
  }

  findRepeat({ phone, externalId }: RowPerson): Repeat | undefined {
    const byNumber = this.#called.get(comparable(phone))
    const byId = externalId === undefined ? undefined : this.#ids.get(externalId)
    if (byNumber === undefined && byId === undefined) return undefined
    const isOfTwo = byNumber !== undefined && byId !== undefined && byNumber !== byId
    if (!this.#refusesRepeats && !isOfTwo) return 'requeued'
    return byNumber !== undefined && !isOfTwo ? 'repeated' : 'repeated_id'
  }

  /**
   * Two people of one company often share a number that neither is called at, so one of the two numbers must be a number that is
   * called.
   */
  findLikeness({ phone, numbers, email }: RowPerson): Likeness | undefined {
    const byEmail = isEmail(email) ? this.#emails.get(email.toLowerCase()) : undefined
    if (byEmail !== undefined) return { line: byEmail, by: 'email' }
    const called = numbers.map((number) => this.#called.get(comparable(number))?.line)
    const line = [...called, this.#others.get(comparable(phone))].find((one) => one !== undefined)
    return line === undefined ? undefined : { line, by: 'number' }
  }

  /** Keeps a row that will be sent. A lead that is requeued takes the number and the id of the later row. */
  add(line: number, person: RowPerson): void {
    const { phone, numbers, externalId, email } = person
    const number = comparable(phone)
    const before = (externalId === undefined ? undefined : this.#ids.get(externalId)) ?? this.#called.get(number)
    if (before) {
      this.#called.delete(before.phone)
      if (before.externalId !== undefined && externalId !== undefined) this.#ids.delete(before.externalId)
    }
    const lead = { line: before?.line ?? line, phone: number, externalId: externalId ?? before?.externalId }
    keep(this.#called, lead.phone, lead)
    if (lead.externalId !== undefined) {
      this.#ids.delete(lead.externalId)
      keep(this.#ids, lead.externalId, lead)
    }
    if (isEmail(email)) keep(this.#emails, email.toLowerCase(), line)
    // A row with one number has it in the called ones.
    if (numbers.length > 1) for (const other of numbers) keep(this.#others, comparable(other), line)
  }
}

function keep<Value>(values: Map<string, Value>, key: string, value: Value): void {
  if (values.size < keysMax && !values.has(key)) values.set(key, value)
}

/** The number in the form of the service; the text itself if it cannot be read. */
export function comparable(phone: string): string {
  const number = parsePhone(phone)
  return number.kind === 'invalid' ? phone : number.e164
}

/** A placeholder such as "none" is the e-mail of nobody. */
export const isEmail = (text: string | undefined): text is string =>
  text !== undefined && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
