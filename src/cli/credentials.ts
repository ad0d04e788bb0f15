/** A key as it is handed over for a profile: typed unseen, or read from standard input; never a word of the command line. */
import * as Flags from '@oclif/core/flags'
import type { Profiles } from '../config/profiles.js'
import { defaultBaseUrl, resolveSettings, type Settings } from '../config/settings.js'
import type { Surroundings } from '../config/surroundings.js'
import type { Need } from './need.js'
import { readInput } from './stdin.js'
import { UsageError } from './usage-error.js'

export const credentialFlags = {
  'key-id': Flags.string({
    summary: 'id of the key; without it the secret goes as a Bearer token',
    helpValue: '<ck_...>',
  }),
  secret: Flags.string({
    summary: 'the secret of the key comes in on standard input; asked for if left out',
    helpValue: '<->',
  }),
}

export interface Handover {
  /** The profile it is for. */
  name: string
  flags: { 'base-url'?: string | undefined; 'key-id'?: string | undefined; secret?: string | undefined }
  around: Surroundings
  profiles: Profiles
  need: (need: Need) => Promise<string[]>
}

/** The settings that the profile will lead to. Throws where the key would go in the clear. */
export async function handedOver({ name, flags, around, profiles, need }: Handover): Promise<Settings> {
  const known = profiles.has(name) ? profiles.get(name).base_url : undefined
  const baseUrl = flags['base-url'] ?? (around.env['SVC_BASE_URL'] || known) ?? defaultBaseUrl
  const secret = await secretOf(flags.secret, around, need)
  const env = { SVC_KEY_ID: flags['key-id'], SVC_SECRET: secret }
  const settings = resolveSettings({ flags: { 'base-url': baseUrl }, env, profiles })
  if (settings.mode === undefined)
    throw new UsageError('This is no secret of a key.', 'It begins with cs_live_ or cs_test_.')
  return settings
}

async function secretOf(flag: string | undefined, { stdin }: Surroundings, need: Handover['need']): Promise<string> {
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
