/** Refuses a webhook secret that is too short to sign with. */
import { UsageError } from './usage-error.js'

/** A usage error for a `--secret` that is too short. The secret is not repeated. */
export const shortSecret = (lengthMin: number): UsageError =>
  new UsageError(
    `--secret is shorter than ${lengthMin} characters.`,
    'Use the whsec_ secret that svc webhooks create or svc webhooks listen --print-secret has shown.',
    [],
    { repeatsInput: false },
  )
