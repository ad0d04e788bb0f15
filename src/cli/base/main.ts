/** Entry point of the program, built or from source: parses, runs the command, and handles errors outside commands. */
import { fileURLToPath } from 'node:url'
import type { Interfaces } from '@oclif/core'
import { Config } from '@oclif/core/config'
import { run } from '@oclif/core/run'
import { settings } from '@oclif/core/settings'
import { processIO } from '../../config/environment.js'
import { maskSecrets } from '../../output/mask.js'
import { stripControls } from '../../output/sanitize.js'
import { wantsColor } from '../../output/style.js'
import { widthOfScreen } from '../../output/wrap.js'
import { exitCodes, InterruptedError } from '../errors/exit-codes.js'
import { formatFailureJson, describeFailure, formatFailureText } from '../errors/report-error.js'
import { globalFlags } from './flags.js'
import { wantsJson } from './wants-json.js'
import { commandFirst } from './word-order.js'
import { describeFileError } from '../errors/file-error.js'
import { listGivenSecrets } from './given-secrets.js'

/** Runs the command line and sets the exit code. */
export async function main(options: Interfaces.LoadOptions): Promise<void> {
  const argv = process.argv.slice(2)
  // `options` says where the commands are. Without this setting, NODE_ENV=development would make the framework compile sources.
  settings.enableAutoTranspile = false
  endOnOutputThatFails(argv)
  endOnInterrupt(argv)
  try {
    await run(await inOrder(argv, options), silenceLogs(options))
  } catch (error) {
    reportFailure(error, argv)
  }
}

/** Moves the command to the front. Loads the command list only if a flag comes before another word. */
async function inOrder(argv: readonly string[], options: Interfaces.LoadOptions): Promise<string[]> {
  const flag = argv.findIndex((word) => word.startsWith('-'))
  // Only subcommands of svc simulate have three words.
  const isEarly =
    flag >= 0 && flag < (argv[0] === 'simulate' ? 3 : 2) && argv.slice(flag + 1).some((word) => !word.startsWith('-'))
  if (!isEarly || argv[flag] === '--') return [...argv]
  return commandFirst(argv, (await Config.load(silenceLogs(options))).commandIDs, globalFlags)
}

/** No-op logger: with DEBUG set, the framework would log the whole command line, including secrets. */
const silent: Interfaces.Logger = {
  ...{ namespace: 'svc', child: () => silent },
  ...{ debug: () => undefined, error: () => undefined, info: () => undefined },
  ...{ trace: () => undefined, warn: () => undefined },
}

function silenceLogs(options: Interfaces.LoadOptions): Interfaces.LoadOptions {
  if (typeof options !== 'string') return options
  // The framework would load plugins that a package.json in the data folder names.
  const plugins = { userPlugins: false, devPlugins: false }
  return { root: options.startsWith('file:') ? fileURLToPath(options) : options, logger: silent, ...plugins }
}

/** Prints the error as text or JSON and sets the exit code. */
function reportFailure(error: unknown, argv: readonly string[]): void {
  const { env, stderr } = processIO()
  const secrets = listGivenSecrets(argv, env)
  const failure = describeFailure(error, { command: '', secrets })
  process.exitCode = failure.exitCode
  const color = wantsColor(Boolean(stderr.isTTY), env, !argv.includes('--no-color'))
  stderr.write(wantsJson(argv) ? formatFailureJson(failure) : formatFailureText(failure, color, widthOfScreen(stderr)))
  if (env['SVC_DEBUG'] && error instanceof Error)
    stderr.write(`${stripControls(maskSecrets(error.stack ?? '', secrets))}\n`)
}

/**
 * Ends when the reader of the results has closed the pipe. A command goes on if only its messages are not read, because it
 * may be in the middle of an import. Reports other write errors, such as a full disk.
 */
function endOnOutputThatFails(argv: readonly string[]): void {
  for (const stream of [process.stdout, process.stderr]) {
    // Before the listener of the command framework, which throws the error.
    stream.prependListener('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' && stream === process.stderr) return
      if (error.code === 'EPIPE') process.exit()
      if (stream === process.stdout)
        reportFailure(new Error(`The result cannot be written: ${describeFileError(error)}.`), argv)
      process.exit(exitCodes.failed)
    })
  }
}

/** Ctrl-C ends the program at once, unless the command has its own handler. */
function endOnInterrupt(argv: readonly string[]): void {
  const end = (): void => {
    if (process.listenerCount('SIGINT') > 1) return
    // The terminal has printed ^C, perhaps in the middle of a line.
    if (process.stderr.isTTY) process.stderr.write('\n')
    reportFailure(new InterruptedError('Interrupted.'), argv)
    process.exit()
  }
  process.on('SIGINT', end)
}
