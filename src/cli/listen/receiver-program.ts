/** The developer's own program, run beside the listener: started with the secret, stopped with it, and its end is the end. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { constants } from 'node:os'
import type { SystemClock } from '../../client/system-clock.js'
import type { Environment } from '../../config/folder.js'
import { UsageError } from '../errors/usage-error.js'

const stopWithinMs = 2_000
const lookEveryMs = 25
const knockEveryMs = 50
const knockWithinMs = 1_000
const hasGroups = process.platform !== 'win32'
const standardError = 2

export class ReceiverProgram {
  readonly #child: ChildProcess
  readonly #machine: SystemClock
  /** What it ended with: its code, or as a shell tells a signal. */
  readonly ended: Promise<number>

  /** Throws `UsageError` where there is no such program. */
  static async start(words: readonly string[], env: Environment, machine: SystemClock): Promise<ReceiverProgram> {
    const [command = '', ...args] = words
    // In a group of its own: a Ctrl-C at the terminal is ours, so that what is on its way can still be taken. What it
    // prints is no result of ours.
    const child = spawn(command, args, {
      env: { ...env },
      stdio: ['ignore', standardError, standardError],
      detached: hasGroups,
    })
    await once(child, 'spawn').catch((error: Error & { code?: string }) => {
      const why = error.code === 'ENOENT' ? 'there is no such program' : (error.code ?? error.message)
      throw new UsageError(`--exec ${command} cannot be started: ${why}.`)
    })
    return new ReceiverProgram(child, machine)
  }

  private constructor(child: ChildProcess, machine: SystemClock) {
    this.#child = child
    this.#machine = machine
    this.ended = new Promise((resolve) =>
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0))),
    )
    // However this program ends, that one does not outlive it.
    process.once('exit', () => this.#tell('SIGKILL'))
  }

  /** Resolves once something takes connections at every address, or the signal is aborted. */
  async takesAll(urls: readonly URL[], signal: AbortSignal): Promise<void> {
    for (const url of urls)
      while (!signal.aborted && !(await takesConnections(url)))
        await this.#machine.sleep(knockEveryMs, signal).catch(() => undefined)
  }

  /** Asks it to end, and ends what has not ended in time. What it started itself, as npm and shells do, is meant too. */
  async stop(): Promise<void> {
    this.#tell('SIGTERM')
    for (let leftMs = stopWithinMs; leftMs > 0 && this.#tell(0); leftMs -= lookEveryMs)
      await this.#machine.sleep(lookEveryMs)
    this.#tell('SIGKILL')
    await this.ended
  }

  /** False where nobody is left to be told. */
  #tell(signal: NodeJS.Signals | 0): boolean {
    const { pid, exitCode, signalCode } = this.#child
    const hasEnded = exitCode !== null || signalCode !== null
    if (pid === undefined || (hasEnded && !hasGroups)) return false
    try {
      return process.kill(hasGroups ? -pid : pid, signal)
    } catch {
      return false
    }
  }
}

function takesConnections({ hostname, port, protocol }: URL): Promise<boolean> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  return new Promise((resolve) => {
    const socket = connect({ host, port: Number(port) || (protocol === 'https:' ? 443 : 80) })
    const end = (takes: boolean) => () => {
      socket.destroy()
      resolve(takes)
    }
    socket.once('connect', end(true)).once('error', end(false)).setTimeout(knockWithinMs, end(false))
  })
}
