/** Resolves each setting of a command: the flag, else the environment, else the profile, else the default. */
import { isPrivateRoute } from '../url.js'
import { baseAddress } from './address.js'
import type { Environment } from './folder.js'
import type { Profile, Profiles } from './profiles.js'
import { SettingsError } from './settings-error.js'

/** The simulator's address, so that a first command works without set-up. */
export const defaultBaseUrl = 'http://127.0.0.1:4010/api/v1/external'

export interface Setting<T = string> {
  value: T
  /** Where the value came from: `flag --base-url`, `environment SVC_SECRET`, `profile simulator`, `default`. */
  source: string
}

export interface Settings {
  /** Undefined if no profile is chosen. */
  profile: Setting | undefined
  baseUrl: Setting
  keyId: Setting | undefined
  secret: Setting | undefined
  /** Why the profile's key is not used with this address; undefined if it is used, or if there is none. */
  withheld: string | undefined
  /** Read from the key's prefix; undefined without a key or for another form of key. */
  mode: 'live' | 'test' | undefined
}

export interface Sources {
  flags: { profile?: string | undefined; 'base-url'?: string | undefined }
  env: Environment
  profiles: Profiles
}

/**
 * Throws `SettingsError` for an unknown profile, a malformed address or key, or a key that would be sent unencrypted.
 */
export function resolveSettings({ flags, env, profiles }: Sources): Settings {
  const fromEnv = (name: string) => firstGiven(env[name], `environment ${name}`)
  const profile =
    firstGiven(flags.profile, 'flag --profile') ??
    fromEnv('SVC_PROFILE') ??
    firstGiven(profiles.current, 'profile in use')
  const chosen = profile ? profiles.get(profile.value) : {}
  const fromProfile = (part: keyof Profile) => firstGiven(chosen[part], `profile ${profile?.value ?? ''}`)

  const baseUrl = firstGiven(flags['base-url'], 'flag --base-url') ??
    fromEnv('SVC_BASE_URL') ??
    fromProfile('base_url') ?? { value: defaultBaseUrl, source: 'default' }
  const withheld = profile && chosen.secret && !fromEnv('SVC_SECRET') && whyWithheld(profile, chosen, baseUrl)
  const secret = fromEnv('SVC_SECRET') ?? (withheld ? undefined : fromProfile('secret'))
  // The profile's key id belongs to the profile's secret and is not combined with another one.
  const ownSecret = !withheld && (secret === undefined || secret.value === chosen.secret)
  const keyId = fromEnv('SVC_KEY_ID') ?? (ownSecret ? fromProfile('key_id') : undefined)
  return { ...keySettings({ baseUrl, keyId, secret }), profile, withheld: withheld || undefined }
}

/** True if the profile holds another key than before, for the same address. A key of another source does not change. */
export function hasNewKey(before: Settings, now: Settings): boolean {
  const isSame = now.baseUrl.value === before.baseUrl.value && now.profile?.value === before.profile?.value
  const isFromProfile = before.secret?.source.startsWith('profile ') ?? false
  return isFromProfile && isSame && now.secret !== undefined && now.secret.value !== before.secret?.value
}

/** Settings for a key that was typed for this address. Profiles and variables are ignored. */
export function keySettings({ baseUrl, keyId, secret }: Pick<Settings, 'baseUrl' | 'keyId' | 'secret'>): Settings {
  for (const part of [keyId, secret]) checkKey(part)
  const address = baseAddress(baseUrl.value, baseUrl.source)
  if (secret && !isPrivateRoute(address)) {
    throw new SettingsError(
      `The key would go over plain http: to ${address.host}, where others can read it.`,
      'Use an https: address; http: is for this machine only.',
    )
  }
  const mode = modeOf(keyId, secret)
  return { profile: undefined, baseUrl: { ...baseUrl, value: address.href }, keyId, secret, withheld: undefined, mode }
}

/**
 * A key is sent only to its profile's origin, or to an address typed together with the profile's name. A leftover
 * variable or an address typed by itself names no profile, so the key is withheld.
 */
function whyWithheld(profile: Setting, stored: Profile, baseUrl: Setting): string | undefined {
  if (profile.source === 'flag --profile' && baseUrl.source === 'flag --base-url') return undefined
  const [own, asked] = [stored.base_url ?? defaultBaseUrl, baseUrl.value].map((text) =>
    baseAddress(text, baseUrl.source),
  )
  if (own?.origin === asked?.origin) return undefined
  return `The key of profile ${profile.value} belongs to ${own?.origin}. It is not sent to ${asked?.origin} (${baseUrl.source}).`
}

/** A key copied from a file may end with a line break, which no header can carry. */
function checkKey(part: Setting | undefined): void {
  if (part === undefined || /^[!-~]+$/.test(part.value)) return
  throw new SettingsError(
    `The key (${part.source}) contains a space, a line break or another character that keys never contain.`,
    'Copy the key again, without the characters around it.',
  )
}

/** The mode that a key's prefix names (rule K2). */
export function modeOf(...parts: readonly (Setting | undefined)[]): Settings['mode'] {
  const prefix = parts.map((part) => /^c[ks]_(live|test)_/.exec(part?.value ?? '')?.[1]).find(Boolean)
  return prefix === 'live' || prefix === 'test' ? prefix : undefined
}

/** Treats an empty value as unset, so that `SVC_PROFILE= svc ...` ignores the variable. */
function firstGiven(value: string | null | undefined, source: string): Setting | undefined {
  return value ? { value, source } : undefined
}
