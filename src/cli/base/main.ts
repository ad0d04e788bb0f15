/** The program from its first word to its exit code, built or from source: what happens outside any command. */
import { fileURLToPath } from 'node:url'
import type { Interfaces } from '@oclif/core'
import { Config } from '@oclif/core/config'
import { run } from '@oclif/core/run'
import { settings } from '@oclif/core/settings'
import { processIO } from '../../config/environment.js'
import { maskSecrets } from '../../output/mask.js'
import { stripControls } from '../../output/sanitize.js'
import { exitCodes, InterruptedError } from '../errors/exit-codes.js'
import { formatFailureJson, describeFailure, formatFailureText } from '../errors/report-error.js'
import { wantsJson } from './wants-json.js'
import { describeFileError } from '../errors/file-error.js'
import { listGivenSecrets } from './given-secrets.js'

/** Runs what was typed and leaves its exit code behind. */
export async function main(options: Interfaces.LoadOptions): Promise<void> {
  const argv = process.argv.slice(2)
  // The commands are where `options` says, whatever NODE_ENV is: nothing is looked for beside them and compiled.
  settings.enableAutoTranspile = false
  endOnOutputThatFails(argv)
  endOnInterrupt(argv)
  try {
    await run(await inOrder(argv, options), quiet(options))
  } catch (error) {
    reportFailure(error, argv)
  }
}

/** The words with the command in front. What is loaded for that is needed only where a flag comes before another word. */
async function inOrder(argv: readonly string[], options: Interfaces.LoadOptions): Promise<string[]> {
  const flag = argv.findIndex((word) => word.startsWith('-'))
  // Only commands below svc simulate have three words.
  const isEarly =
    flag >= 0 && flag < (argv[0] === 'simulate' ? 3 : 2) && argv.slice(flag + 1).some((word) => !word.startsWith('-'))
  if (!isEarly || argv[flag] === '--') return [...argv]
  const [{ globalFlags }, { commandFirst }] = await Promise.all([import('./flags.js'), import('./word-order.js')])
  return commandFirst(argv, (await Config.load(quiet(options))).commandIDs, globalFlags)
}

/** The framework logs every word of the command line where `DEBUG` asks for it, secrets included. */
const silent: Interfaces.Logger = {
  ...{ namespace: 'svc', child: () => silent },
  ...{ debug: () => undefined, error: () => undefined, info: () => undefined },
  ...{ trace: () => undefined, warn: () => undefined },
}

function quiet(options: Interfaces.LoadOptions): Interfaces.LoadOptions {
  if (typeof options !== 'string') return options
  return { root: options.startsWith('file:') ? fileURLToPath(options) : options, logger: silent }
}

/** Says what went wrong, in the manner the words ask for, and sets the exit code. */
function reportFailure(error: unknown, argv: readonly string[]): void {
  const { env, stderr } = processIO()
  const secrets = listGivenSecrets(argv, env)
  const failure = describeFailure(error, { command: '', secrets })
  process.exitCode = failure.exitCode
  stderr.write(wantsJson(argv) ? formatFailureJson(failure) : formatFailureText(failure))
  if (env['SVC_DEBUG'] && error instanceof Error)
    stderr.write(`${stripControls(maskSecrets(error.stack ?? '', secrets))}\n`)
}

/** Whoever read along has gone: there is nobody left to work for. A disk that takes no more is told. */
function endOnOutputThatFails(argv: readonly string[]): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(0)
      if (stream === process.stdout)
        reportFailure(new Error(`The result cannot be written: ${describeFileError(error)}.`), argv)
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
    reportFailure(new InterruptedError('Interrupted.'), argv)
    process.exit()
  }
  process.on('SIGINT', end)
}
