/**
 * A JSON file that only its owner can read. Each write replaces the whole file atomically. Holds profiles and
 * listeners.
 */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { SyncAdapter } from 'lowdb'
import { replaceFile } from './atomic-file.js'
import { withFileLock } from './file-lock.js'
import { SettingsError } from './settings-error.js'

const ownerOnlyFolder = 0o700

export class PrivateFile<T> implements SyncAdapter<T> {
  readonly #path: string
  readonly #accepts: (value: unknown) => value is T
  /** The file's name in messages, and the fix to suggest if it is broken. */
  readonly #words: { name: string; remedy: string }

  constructor(path: string, accepts: (value: unknown) => value is T, words: { name: string; remedy: string }) {
    this.#path = path
    this.#accepts = accepts
    this.#words = words
  }

  /** Parses the file; null if it does not exist. Throws if it is broken, and leaves it unchanged. */
  read(): T | null {
    const text = this.#text()
    if (text === null) return null
    const value = parseContents(text)
    if (this.#accepts(value)) return value
    throw new SettingsError(
      `${this.#path} is not a ${this.#words.name} this version understands; it was left as it is.`,
      this.#words.remedy,
    )
  }

  write(value: T): void {
    try {
      makeFolder(dirname(this.#path))
      replaceFile(this.#path, `${JSON.stringify(value, null, 2)}\n`, { isDurable: true })
    } catch (error) {
      throw this.#unwritable(error)
    }
  }

  /** Runs the work while no other process works on this file. */
  exclusively<R>(work: () => R): R {
    let thrown: { error: unknown } | undefined
    try {
      makeFolder(dirname(this.#path))
      return withFileLock(`${this.#path}.lock`, () => {
        try {
          return work()
        } catch (error) {
          thrown = { error }
          throw error
        }
      })
    } catch (error) {
      throw thrown ? thrown.error : this.#unwritable(error)
    }
  }

  #unwritable(error: unknown): SettingsError {
    return new SettingsError(
      `${this.#path} could not be written: ${describeReason(error)}.`,
      'SVC_CONFIG_DIR names another folder.',
    )
  }

  #text(): string | null {
    try {
      return readFileSync(this.#path, 'utf8')
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null
      throw new SettingsError(
        `${this.#path} could not be read: ${describeReason(error)}.`,
        'SVC_CONFIG_DIR names another folder.',
      )
    }
  }
}

/** Creates the folder with mode 0700; tightens an existing one only if it is empty. */
function makeFolder(folder: string): void {
  makeFolders(folder)
  if (readdirSync(folder).length === 0) chmodSync(folder, ownerOnlyFolder)
}

/** Creates the folder and those above it, with mode 0700. Not `recursive`: below `/proc`, Node's recursive creation never ends. */
export function makeFolders(folder: string): void {
  try {
    mkdirSync(folder, { mode: ownerOnlyFolder })
  } catch (error) {
    if (errorCode(error) === 'EEXIST' && statSync(folder).isDirectory()) return
    const above = dirname(folder)
    if (errorCode(error) !== 'ENOENT' || above === folder || existsSync(above)) throw error
    makeFolders(above)
    makeFolders(folder)
  }
}

/** Undefined if the text is not JSON. */
function parseContents(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

function describeReason(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.message : String(error))
}
