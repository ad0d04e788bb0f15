/**
 * The numbers that an import added to the Do Not Call list, so that they can be removed again. Kept next to the journal of
 * the import and deleted with it. Only the account that imported them may undo.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../errors/usage-error.js'

interface Line {
  account: string
  phones: string[]
  /** The file as it was named, or `-`; undefined in records of earlier versions. */
  file?: string
}

/** An import whose numbers can be removed again. */
export interface RecordedImport {
  name: string
  /** Undefined if the record does not say it. */
  file: string | undefined
  numbers: number
  /** When the last number was added, in milliseconds since the epoch. */
  at: number
}

const digestOf = (account: unknown): string => createHash('sha256').update(JSON.stringify(account)).digest('hex')
const ending = '.added'

/** The imports of an account that can be undone, newest first. */
export function listRecordedImports(folder: string, account: unknown): RecordedImport[] {
  const found = readdirSync(folder).flatMap((entry) => {
    const name = entry.slice(0, -ending.length)
    return entry.endsWith(ending) && nameForm.test(name) ? new UndoRecord(folder, name, account).describe() : []
  })
  return found.sort((a, b) => b.at - a.at)
}

const nameForm = /^[0-9a-f]{32}$/

export class UndoRecord {
  readonly #path: string
  readonly #name: string
  readonly #account: string

  /** `name` is the name of the journal; `account` identifies the service and the key. */
  constructor(folder: string, name: string, account: unknown) {
    if (!nameForm.test(name))
      throw new UsageError(`--from-import ${name} is not the name of an import.`, 'svc dnc list --imports shows them.')
    this.#path = join(folder, `${name}${ending}`)
    this.#name = name
    this.#account = digestOf(account)
  }

  /** Adds numbers before the journal is written, so that a crash loses none. */
  append(phones: readonly string[], file: string): void {
    if (phones.length === 0) return
    appendFileSync(this.#path, `${JSON.stringify({ account: this.#account, file, phones })}\n`, { mode: 0o600 })
  }

  /** True if numbers were added, now or by an earlier run of the same import. */
  exists(): boolean {
    return existsSync(this.#path)
  }

  /** Each number once. Throws `UsageError` if there is no such import of this account. */
  read(): Set<string> {
    const numbers = new Set<string>()
    for (const line of this.#lines()) {
      const { account, phones } = line
      if (account !== this.#account)
        throw new UsageError(`The import ${this.#name} was made with another key or address.`, 'Use the same profile.')
      for (const phone of phones) numbers.add(phone)
    }
    return numbers
  }

  /** Empty if the import is of another account, was undone meanwhile, or its record cannot be read. */
  describe(): RecordedImport[] {
    try {
      const file = this.#lines().findLast((line) => line.file !== undefined)?.file
      return [{ name: this.#name, file, numbers: this.read().size, at: statSync(this.#path).mtimeMs }]
    } catch {
      return []
    }
  }

  #lines(): Line[] {
    try {
      const lines = readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)
      return lines.map((line) => JSON.parse(line) as Line)
    } catch {
      throw new UsageError(
        `There is no import ${this.#name} to undo.`,
        'It was undone already, added nothing, or is older than 30 days. svc dnc list --imports shows the others.',
      )
    }
  }

  /** Deletes the record once its numbers were removed. */
  delete(): void {
    rmSync(this.#path, { force: true })
  }
}
