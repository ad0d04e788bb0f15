/** Runs a program against a simulator, which it finds in its environment. */
import type { Environment } from '../../config/folder.js'
import { cannotStart, CannotStartError, runProgram } from '../base/foreground-program.js'
import { UsageError } from '../errors/usage-error.js'
import { usableKeys, type Keyed } from './profiles.js'

export interface Address {
  baseUrl: string
  controlUrl: string
  controlToken: string | null
  keys: Keyed['world']['keys']
}

/** The environment with the address of the simulator and its test key, and without a profile. */
export function environmentFor({ baseUrl, controlUrl, controlToken, keys }: Address, env: Environment): Environment {
  const { SVC_PROFILE: _profile, ...kept } = env
  const { test } = usableKeys({ world: { keys } })
  return {
    ...kept,
    SVC_BASE_URL: baseUrl,
    SVC_CONTROL_URL: controlUrl,
    ...(test && { SVC_KEY_ID: test.key_id, SVC_SECRET: test.secret }),
    ...(controlToken !== null && { SVC_CONTROL_TOKEN: controlToken }),
  }
}

/** Runs the program and resolves to its exit code. A program that cannot be started is reported. */
export async function runAgainst(
  words: readonly string[],
  environment: Environment,
  { isAtTerminal, note }: { isAtTerminal: boolean; note: (text: string) => void },
): Promise<number> {
  try {
    return await runProgram(words, environment, isAtTerminal)
  } catch (error) {
    if (!(error instanceof CannotStartError)) throw error
    note(`Error: ${error.message}\n`)
    return cannotStart
  }
}

/** Throws if `--exec` and the words after `--` do not belong together. */
export function checkProgram(exec: boolean, program: readonly string[] | undefined): void {
  const hint = 'Write it as --exec -- npm test.'
  if (exec && !program?.length) throw new UsageError('--exec has no command to run.', hint)
  if (!exec && program) throw new UsageError('A command behind -- is run with --exec only.', hint)
}
