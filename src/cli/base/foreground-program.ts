/** Runs a child program in the foreground: it shares the terminal and gets the signals, and the command exits when it does. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:os'
import type { Environment } from '../../config/folder.js'

/** Exit code that shells use when a program cannot be started. */
export const cannotStart = 127

const passedOn = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const

/** The program does not exist or is not executable. */
export class CannotStartError extends Error {
  override readonly name = 'CannotStartError'
}

/** Takes the words after `--`, the program to run, out of the arguments. Undefined without `--`. */
export function takeProgram(argv: string[]): readonly string[] | undefined {
  const stop = argv.indexOf('--')
  return stop < 0 ? undefined : argv.splice(stop).slice(1)
}

/** Runs the program without a shell. Resolves to its exit code, or to 128 + n if signal n ended it. */
export async function runProgram(words: readonly string[], env: Environment, atTerminal: boolean): Promise<number> {
  const [command = '', ...args] = words
  // At a terminal, Ctrl-C reaches both programs, so it is not forwarded.
  const pass = (signal: NodeJS.Signals) => {
    if (!(atTerminal && signal === 'SIGINT')) child.kill(signal)
  }
  for (const signal of passedOn) process.on(signal, pass)
  const child = spawn(command, args, { env: { ...env }, stdio: 'inherit' })
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
    return code ?? 128 + (signal ? constants.signals[signal] : 0)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new CannotStartError(
      `${command} cannot be started: ${code === 'ENOENT' ? 'there is no such program' : (code ?? message)}.`,
    )
  } finally {
    for (const signal of passedOn) process.removeListener(signal, pass)
  }
}
