/** An interactive shell at a terminal, in which `svc` is the built program. A test reads the screen and types. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Svc } from './svc.js'
import { ended, type Ran } from './svc.js'
import { shellEnv } from './shells.js'

export class ShellAtTerminal {
  readonly #process
  readonly #end: Promise<Ran>
  #screen = ''
  /** What the screen showed before it was looked at last. */
  #seen = 0

  constructor(
    svc: Svc,
    shell: string,
    { env = {}, columns = 120 }: { env?: Record<string, string>; columns?: number },
  ) {
    const line = `stty cols ${columns} rows 40; exec ${shell}`
    const all = { ...shellEnv(svc), TERM: 'xterm-256color', SHELL: '/bin/sh', PS1: 'ready> ', CI: '', ...env }
    this.#process = spawn('script', ['-qefc', line, '/dev/null'], { env: all, cwd: svc.folder })
    this.#end = ended(this.#process)
    this.#process.stdout.on('data', (text: string) => (this.#screen += text))
  }

  /** Waits until the screen shows the pattern, after what earlier calls waited for. */
  async shows(words: RegExp): Promise<void> {
    for (;;) {
      const found = words.exec(this.#screen.slice(this.#seen))
      if (found) {
        this.#seen += found.index + found[0].length
        return
      }
      const more = await Promise.race([once(this.#process.stdout, 'data'), this.#end.then(() => null)])
      if (more === null) throw new Error(`the shell never showed ${String(words)}: ${this.#screen}`)
    }
  }

  type(keys: string): void {
    this.#process.stdin.write(keys)
  }

  /** Leaves the shell, which must be at its prompt. Returns all that the screen showed. */
  async end(): Promise<string> {
    await this.shows(/ready> /)
    this.type('exit\n')
    await this.#end
    return this.#screen
  }
}
