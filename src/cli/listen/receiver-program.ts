/** Runs the developer's server as a child process. Starts it with the secret in its environment and stops it with the listener; the listener ends when it exits. */
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
  /** Exit code, or 128 + n for signal n. */
  readonly ended: Promise<number>

  /** Throws `UsageError` if the program cannot be started. */
  static async start(words: readonly string[], env: Environment, machine: SystemClock): Promise<ReceiverProgram> {
    const [command = '', ...args] = words
    // Starts a separate process group: Ctrl-C reaches only us, so that requests in flight can still finish. Its output
    // goes to stderr, because it is not a result of svc.
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
    // The child must not outlive this process.
    process.once('exit', () => this.#tell('SIGKILL'))
  }

  /** Resolves when every address accepts connections, or the signal is aborted. */
  async takesAll(urls: readonly URL[], signal: AbortSignal): Promise<void> {
    for (const url of urls)
      while (!signal.aborted && !(await takesConnections(url)))
        await this.#machine.sleep(knockEveryMs, signal).catch(() => undefined)
  }

  /** Stops the process group: asks first, then kills. The group includes processes that npm or a shell started. */
  async stop(): Promise<void> {
    this.#tell('SIGTERM')
    for (let leftMs = stopWithinMs; leftMs > 0 && this.#tell(0); leftMs -= lookEveryMs)
      await this.#machine.sleep(lookEveryMs)
    this.#tell('SIGKILL')
    await this.ended
  }

  /** Returns false if no process is left. */
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
