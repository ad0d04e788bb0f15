/** Reads a key for a profile from a hidden prompt or standard input, never from the command line. */
import * as Flags from '@oclif/core/flags'
import { baseAddress } from '../../config/address.js'
import type { Profiles } from '../../config/profiles.js'
import { SettingsError } from '../../config/settings-error.js'
import { defaultBaseUrl, keySettings, type Setting, type Settings } from '../../config/settings.js'
import type { IO } from '../../config/environment.js'
import type { MissingValue } from './questions/prompt-for-missing.js'
import { readInput } from './stdin.js'
import { UsageError } from '../errors/usage-error.js'

export const credentialFlags = {
  'key-id': Flags.string({
    summary: 'Id of the key; without it, the secret is sent as a Bearer token',
    helpValue: '<ck_...>',
  }),
  secret: Flags.string({
    summary: 'Read the secret of the key from standard input; prompts for it if omitted (required in scripts)',
    helpValue: '<->',
  }),
}

export interface CredentialInput {
  /** Profile to save the key in. */
  name: string
  flags: { 'base-url'?: string | undefined; 'key-id'?: string | undefined; secret?: string | undefined }
  around: IO
  profiles: Profiles
  need: (need: MissingValue) => Promise<string[]>
  /** Address that was asked for. */
  baseUrl?: Setting
}

/** Settings that the new profile gives. Throws if the key would be sent over plain http:. */
export async function readCredentials(handover: CredentialInput): Promise<Settings> {
  const { flags, around, need } = handover
  const baseUrl = handover.baseUrl ?? addressFor(handover)
  const secret = await secretOf(flags.secret, around, need)
  const keyId = flags['key-id'] ? { value: flags['key-id'], source: 'flag --key-id' } : undefined
  const settings = keySettings({ baseUrl, keyId, secret: { value: secret, source: 'what was typed' } })
  if (settings.mode === undefined)
    throw new UsageError('This is not the secret of a key.', 'Type the secret that begins with cs_live_ or cs_test_.')
  return settings
}

/** Address that the key belongs to: from the flag, else the environment, else the profile. */
export function addressFor({
  name,
  flags,
  around,
  profiles,
}: Pick<CredentialInput, 'name' | 'flags' | 'around' | 'profiles'>): Setting {
  const fromEnv = around.env['SVC_BASE_URL']
  const known = profiles.has(name) ? profiles.get(name).base_url : undefined
  if (flags['base-url']) return { value: flags['base-url'], source: 'flag --base-url' }
  if (fromEnv) return { value: fromEnv, source: 'environment SVC_BASE_URL' }
  return known ? { value: known, source: `profile ${name}` } : { value: defaultBaseUrl, source: 'default' }
}

/** Asks for the address. None is usual: a person who goes live has another one than the simulator. Only for a terminal. */
export async function askAddress(need: CredentialInput['need']): Promise<Setting> {
  const source = 'what was typed'
  const [value = ''] = await need({
    flag: '--base-url',
    label: 'Address of the service',
    value: undefined,
    check: (typed) => faultOfAddress({ value: typed, source }),
    spell: () => [],
  })
  return { value: baseAddress(value, source).href, source }
}

function faultOfAddress(address: Setting): string | true {
  try {
    // No key is sent yet; any stands for the one that follows.
    keySettings({ baseUrl: address, keyId: undefined, secret: { value: 'cs_test_', source: address.source } })
    return true
  } catch (error) {
    if (error instanceof SettingsError) return `${error.message} ${error.hint}`
    throw error
  }
}

async function secretOf(flag: string | undefined, { stdin }: IO, need: CredentialInput['need']): Promise<string> {
  if (flag !== undefined && flag !== '-') {
    throw new UsageError(
      'A secret on the command line can be read by others.',
      'Pipe it in with --secret -, or leave --secret out and type it.',
    )
  }
  if (flag === undefined) {
    const hint = 'Pipe the secret in, with --secret -.'
    return (await need({ flag: '--secret', label: 'Secret', value: undefined, hidden: true, hint }))[0] ?? ''
  }
  const secret = (await readInput('-', stdin)).toString('utf8').trim()
  if (secret === '') throw new UsageError('Nothing came in on standard input.', 'Pipe the secret in.')
  return secret
}
