/** The named profiles of a person: an address and a key each, one of them in use. Each change reads the file again first. */
import { join } from 'node:path'
import { LowSync } from 'lowdb'
import { PrivateFile } from './private-file.js'
import { SettingsError } from './settings-error.js'

export interface Profile {
  base_url?: string
  /** `ck_...`; without it the secret goes as a Bearer token. */
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

  /** Reads the folder's profiles; a folder without any has none. Throws `SettingsError` on a broken file. */
  static open(folder: string): Profiles {
    return new Profiles(join(folder, 'profiles.json'))
  }

  get names(): string[] {
    return Object.keys(this.#file.data.profiles).sort()
  }

  /** The name of the profile in use; null where none was chosen. */
  get current(): string | null {
    return this.#file.data.current
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#file.data.profiles, name)
  }

  /** Throws `SettingsError` for a name there is no profile of. */
  get(name: string): Profile {
    const profile = this.has(name) ? this.#file.data.profiles[name] : undefined
    if (profile) return profile
    const known = this.names.length > 0 ? `The profiles are: ${this.names.join(', ')}.` : 'There are no profiles yet.'
    throw new SettingsError(
      `There is no profile "${name}".`,
      `${known} \`svc simulate\` makes one for the local simulator.`,
    )
  }

  /** Adds a profile, or replaces the one of that name. */
  put(name: string, profile: Profile): void {
    this.change(name, () => profile)
  }

  /**
   * Replaces one profile by what `change` makes of it, and leaves all others as they are in the file. `before` is undefined
   * where there is no such profile. Nothing is changed where `change` throws or gives undefined.
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

  /** Reads the file, changes it and writes it, while no other process does. `change` says whether there is something to write. */
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
