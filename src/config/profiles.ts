/**
 * The user's named profiles, each with an address and a key, and which one is in use. Each change reads the file
 * first.
 */
import { join } from 'node:path'
import { LowSync } from 'lowdb'
import { PrivateFile } from './private-file.js'
import { SettingsError } from './settings-error.js'

export interface Profile {
  base_url?: string
  /** `ck_...`. Without it the secret is sent as a Bearer token. */
  key_id?: string
  /** `cs_...` */
  secret?: string
  /** Signs what `webhooks listen` forwards, so that a receiver can keep one secret. */
  listen_secret?: string
}

const parts: readonly (keyof Profile)[] = ['base_url', 'key_id', 'secret', 'listen_secret']

interface Contents {
  current: string | null
  profiles: Record<string, Profile>
}

const nameForm = /^[a-z0-9][a-z0-9_-]{0,63}$/i

export class Profiles {
  readonly path: string
  readonly #storage: PrivateFile<Contents>
  readonly #file: LowSync<Contents>

  private constructor(path: string) {
    this.path = path
    const words = { name: 'profile file', remedy: 'Repair it, or move it away and add the profiles again.' }
    this.#storage = new PrivateFile(path, isContents, words)
    this.#file = new LowSync<Contents>(this.#storage, noContents())
    this.#file.read()
  }

  /** Reads the profiles of a folder, which may have none. Throws `SettingsError` if the file is broken. */
  static open(folder: string): Profiles {
    return new Profiles(join(folder, 'profiles.json'))
  }

  get names(): string[] {
    return Object.keys(this.#file.data.profiles).sort()
  }

  /** The name of the profile in use; null if none is chosen. */
  get current(): string | null {
    return this.#file.data.current
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#file.data.profiles, name)
  }

  /** Throws `SettingsError` for an unknown name. */
  get(name: string): Profile {
    const profile = this.has(name) ? this.#file.data.profiles[name] : undefined
    if (profile) return profile
    const known = this.names.length > 0 ? `The profiles are: ${this.names.join(', ')}.` : 'There are no profiles yet.'
    throw new SettingsError(
      `There is no profile "${name}".`,
      `${known} \`svc simulate\` makes one for the local simulator.`,
    )
  }

  /** Adds a profile, or replaces the one with that name. */
  put(name: string, profile: Profile): void {
    this.change(name, () => profile)
  }

  /**
   * Changes one profile and leaves the others as the file has them. `change` gets undefined if the profile does not
   * exist. Nothing is written if it throws or returns undefined.
   */
  change(name: string, change: (before: Profile | undefined) => Profile | undefined): void {
    if (!nameForm.test(name)) {
      throw new SettingsError(
        `"${name}" is not a valid name for a profile.`,
        'Use letters, digits, - and _, with a letter or a digit first.',
      )
    }
    this.#update((contents) => {
      const after = change(this.has(name) ? contents.profiles[name] : undefined)
      if (after === undefined) return false
      contents.profiles[name] = after
      return true
    })
  }

  use(name: string): void {
    this.#update((contents) => {
      this.get(name)
      contents.current = name
      return true
    })
  }

  remove(name: string): void {
    this.#update((contents) => {
      this.get(name)
      delete contents.profiles[name]
      if (contents.current === name) contents.current = null
      return true
    })
  }

  /** Reads, changes and writes the file under a lock. `change` returns whether to write. */
  #update(change: (contents: Contents) => boolean): void {
    this.#storage.exclusively(() => {
      this.#file.data = noContents()
      this.#file.read()
      if (change(this.#file.data)) this.#file.write()
    })
  }
}

const noContents = (): Contents => ({ current: null, profiles: {} })

function isContents(value: unknown): value is Contents {
  if (!isObject(value) || !isObject(value['profiles'])) return false
  const current = value['current']
  return (current === null || typeof current === 'string') && Object.values(value['profiles']).every(isProfile)
}

function isProfile(value: unknown): value is Profile {
  return isObject(value) && parts.every((part) => value[part] === undefined || typeof value[part] === 'string')
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
