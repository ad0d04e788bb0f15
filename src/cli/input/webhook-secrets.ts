/** Secrets of webhooks as they are given for one run: by `--secret`, on standard input, or in `SVC_WEBHOOK_SECRET`. */
import type { IO } from '../../config/environment.js'
import { readInput } from './stdin.js'
import { UsageError } from '../errors/usage-error.js'

/** Undefined where none is given. `body` is the file of the body, which may come from standard input too. */
export async function givenSecrets(
  flags: readonly string[] | undefined,
  { env, stdin }: Pick<IO, 'env' | 'stdin'>,
  body?: string,
): Promise<string[] | undefined> {
  if (flags === undefined) return env['SVC_WEBHOOK_SECRET'] ? [env['SVC_WEBHOOK_SECRET']] : undefined
  if (!flags.includes('-')) return [...flags]
  if (body === '-' || flags.filter((flag) => flag === '-').length > 1)
    throw new UsageError(
      'Standard input can be read only once.',
      'Set SVC_WEBHOOK_SECRET, or name a file for the body.',
    )
  const piped = (await readInput('-', stdin)).toString('utf8').trim()
  if (piped === '') throw new UsageError('Nothing came in on standard input.', 'Pipe the secret in.')
  return flags.flatMap((flag) => (flag === '-' ? piped.split(/\s+/) : [flag]))
}
