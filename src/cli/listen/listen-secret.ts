/** Secret that signs events sent to a developer's server. Each profile has one, so that the server's configuration can stay the same. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Profiles } from '../../config/profiles.js'
import type { Settings } from '../../config/settings.js'

/** Creates the secret on first use and saves it in the current profile. Without a profile, derives it from the key; without a key, returns undefined. */
export function loadListenSecret({ profile, secret }: Settings, profiles: Profiles): string | undefined {
  if (!profile) return secret && deriveSecret(createHmac('sha256', secret.value).update('listen').digest())
  const known = profiles.get(profile.value)
  if (known.listen_secret) return known.listen_secret
  let kept: string | undefined
  profiles.change(profile.value, (before) => {
    // Another process may have created one in the meantime, or removed the profile.
    kept = before?.listen_secret ?? deriveSecret(randomBytes(32))
    return before && { ...before, listen_secret: kept }
  })
  return kept
}

const deriveSecret = (bytes: Buffer): string => `whsec_${bytes.toString('hex')}`
