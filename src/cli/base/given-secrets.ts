/** Collects the secrets given to this run, so that its output can mask them. */
import type { Environment } from '../../config/folder.js'

/** Flags and variables that hold secrets of any form. */
const flags = ['--secret', '--control-token']
const variables = ['SVC_SECRET', 'SVC_CONTROL_TOKEN', 'SVC_WEBHOOK_SECRET']

export function listGivenSecrets(argv: readonly string[], env: Environment): string[] {
  const typed = argv.flatMap((word, at) => {
    const flag = flags.find((one) => word === one || word.startsWith(`${one}=`))
    if (flag === undefined) return []
    return [word === flag ? argv[at + 1] : word.slice(flag.length + 1)]
  })
  return [...typed, ...variables.map((name) => env[name])].filter((secret): secret is string => Boolean(secret))
}
