/**
 * The numbers that an import added to the Do Not Call list, so that they can be removed again. Kept next to the journal of
 * the import and deleted with it. Only the account that imported them may undo.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../errors/usage-error.js'

export class UndoRecord {
  readonly #path: string
  readonly #name: string
  readonly #account: string

  /** `name` is the name of the journal; `account` identifies the service and the key. */
  constructor(folder: string, name: string, account: unknown) {
    if (!/^[0-9a-f]{32}$/.test(name))
      throw new UsageError(
        `--from-import ${name} is not the name of an import.`,
        'Copy the command that svc dnc import printed.',
      )
    this.#path = join(folder, `${name}.added`)
    this.#name = name
    this.#account = createHash('sha256').update(JSON.stringify(account)).digest('hex')
  }

  /** Adds numbers before the journal is written, so that a crash loses none. */
  append(phones: readonly string[]): void {
    if (phones.length === 0) return
    appendFileSync(this.#path, `${JSON.stringify({ account: this.#account, phones })}\n`, { mode: 0o600 })
  }

  /** True if numbers were added, now or by an earlier run of the same import. */
  exists(): boolean {
    return existsSync(this.#path)
  }

  /** Each number once. Throws `UsageError` if there is no such import of this account. */
  read(): Set<string> {
    const numbers = new Set<string>()
    for (const line of this.#lines()) {
      const { account, phones } = JSON.parse(line) as { account: string; phones: string[] }
      if (account !== this.#account)
        throw new UsageError(`The import ${this.#name} was made with another key or address.`, 'Use the same profile.')
      for (const phone of phones) numbers.add(phone)
    }
    return numbers
  }

  #lines(): string[] {
    try {
      return readFileSync(this.#path, 'utf8').split('\n').filter(Boolean)
    } catch {
      throw new UsageError(
        `There is no import ${this.#name} to undo.`,
        'It was undone already, added nothing, or is older than 30 days.',
      )
    }
  }

  /** Deletes the record once its numbers were removed. */
  delete(): void {
    rmSync(this.#path, { force: true })
  }
}
