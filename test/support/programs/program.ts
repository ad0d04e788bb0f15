/** Test programs that run in a separate process and can be killed. Each ends with its test. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface, type Interface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEachTest } from '../ends.js'
import { bundled } from './bundled.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const running = new Set<Program>()
afterEachTest(async () => {
  for (const program of running) await program.kill()
})

export class Program {
  readonly #process: ChildProcess
  readonly #lines: AsyncIterator<string>
  #errors = ''

  private constructor(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    this.#process = spawn(command, args, {
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const reader: Interface = createInterface(this.#process.stdout ?? process.stdin)
    this.#lines = reader[Symbol.asyncIterator]()
    this.#process.stderr?.on('data', (chunk: Buffer) => (this.#errors += chunk.toString()))
    running.add(this)
  }

  /** Runs a TypeScript file of `test/support`. */
  static start(file: string, ...args: string[]): Program {
    return new Program(process.execPath, [bundled(file), ...args])
  }

  /** Like `start`, with additional environment variables. */
  static startWith(env: NodeJS.ProcessEnv, file: string, ...args: string[]): Program {
    return new Program(process.execPath, [bundled(file), ...args], env)
  }

  /** Like `start`, with a limit in kilobytes for each file that the program writes. */
  static startWithin(kilobytes: number, file: string, ...args: string[]): Program {
    const limited = `ulimit -f ${kilobytes} && exec "$0" "$@"`
    return new Program('bash', ['-c', limited, process.execPath, bundled(file), ...args])
  }

  /** Reads the next line. Throws the program's stderr if it ends without one. */
  async line(): Promise<string> {
    const next = await this.#lines.next()
    if (next.done) throw new Error(`the program ended without a line: ${this.#errors}`)
    return next.value
  }

  /** Writes to its standard input. */
  type(text: string): void {
    this.#process.stdin?.write(text)
  }

  /** Suspends the process. */
  suspend(): void {
    this.#process.kill('SIGSTOP')
  }

  /** Kills the process at once. */
  async kill(): Promise<void> {
    running.delete(this)
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    this.#process.kill('SIGKILL')
    await once(this.#process, 'exit')
  }
}
