/** The program from its first word to its exit code, built or from source: what happens outside any command. */
import type { Interfaces } from '@oclif/core'
import { run } from '@oclif/core/run'
import { settings } from '@oclif/core/settings'
import { surroundings } from '../config/surroundings.js'
import { maskSecrets } from '../output/mask.js'
import { exitCodes, InterruptedError } from './exit.js'
import { failureJson, failureOf, failureText } from './failure.js'
import { asksForJson } from './json-asked.js'
import { reasonOf } from './unwritable.js'
import { secretsGiven } from './secrets.js'

/** Runs what was typed and leaves its exit code behind. */
export async function main(options: Interfaces.LoadOptions): Promise<void> {
  const argv = process.argv.slice(2)
  // The commands are where `options` says, whatever NODE_ENV is: nothing is looked for beside them and compiled.
  settings.enableAutoTranspile = false
  endOnOutputThatFails(argv)
  endOnInterrupt(argv)
  try {
    await run(argv, options)
  } catch (error) {
    tell(error, argv)
  }
}

/** Says what went wrong, in the manner the words ask for, and sets the exit code. */
function tell(error: unknown, argv: readonly string[]): void {
  const { env, stderr } = surroundings()
  const secrets = secretsGiven(argv, env)
  const failure = failureOf(error, { command: '', secrets })
  process.exitCode = failure.exitCode
  stderr.write(asksForJson(argv) ? failureJson(failure) : failureText(failure))
  if (env['SVC_DEBUG'] && error instanceof Error) stderr.write(`${maskSecrets(error.stack ?? '', secrets)}\n`)
}

/** Whoever read along has gone: there is nobody left to work for. A disk that takes no more is told. */
function endOnOutputThatFails(argv: readonly string[]): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      if (stream === process.stdout) tell(new Error(`The result cannot be written: ${reasonOf(error)}.`), argv)
      process.exit(exitCodes.failed)
    })
  }
}

/** Ctrl-C ends the program at once, unless the command listens itself because it has something to finish or to say. */
function endOnInterrupt(argv: readonly string[]): void {
  const end = (): void => {
    if (process.listenerCount('SIGINT') > 1) return
    // A terminal has written ^C, perhaps into a line that was not at its end.
    if (process.stderr.isTTY) process.stderr.write('\n')
    tell(new InterruptedError('Interrupted.'), argv)
    process.exit()
  }
  process.on('SIGINT', end)
}
