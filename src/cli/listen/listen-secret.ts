/** The secret that signs what this program itself sends to a developer's server: one per profile, so that the server can keep it. */
import { createHmac, randomBytes } from 'node:crypto'
import type { Profiles } from '../../config/profiles.js'
import type { Settings } from '../../config/settings.js'

/** Made the first time and kept in the profile in use. Without a profile it follows from the key; without a key there is none. */
export function loadListenSecret({ profile, secret }: Settings, profiles: Profiles): string | undefined {
  if (!profile) return secret && deriveSecret(createHmac('sha256', secret.value).update('listen').digest())
  const known = profiles.get(profile.value)
  if (known.listen_secret) return known.listen_secret
  let kept: string | undefined
  profiles.change(profile.value, (before) => {
    // Another process may have made one meanwhile, or removed the profile.
    kept = before?.listen_secret ?? deriveSecret(randomBytes(32))
    return before && { ...before, listen_secret: kept }
  })
  return kept
}

const deriveSecret = (bytes: Buffer): string => `whsec_${bytes.toString('hex')}`
