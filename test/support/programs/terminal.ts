/** The built program at a real terminal of a given width, which a test can read and type into. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Svc } from './svc.js'
import { ended, entry, type Ran } from './svc.js'

/** False if `script` is missing, or is another program of that name. */
export const hasTerminals = spawnSync('script', ['--version']).stdout?.includes('util-linux') ?? false

const word = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`

export interface Seen extends Ran {
  /** Everything written to the terminal, with newlines as line endings. */
  screen: string
}

interface AtTerminal {
  env?: Readonly<Record<string, string>>
  columns?: number
  rows?: number
}

/**
 * Runs it to its end at a terminal at which nobody types. Stays inside the test's process if possible, where the
 * terminal is only what the program sees of it.
 */
export async function runAtTerminal(svc: Svc, args: readonly string[], { env = {}, columns = 100 }: AtTerminal = {}) {
  if (!svc.runsInProcess(args, env)) return await new TerminalSvc(svc, args, { env, columns }).end()
  const { code, stdout } = await svc.run(args, { env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...env }, columns })
  return { code, screen: stdout }
}

export class TerminalSvc {
  readonly #process
  readonly #end: Promise<Ran>
  #screen = ''

  /** Starts the program in a terminal with `columns` columns. */
  constructor(svc: Svc, args: readonly string[], { env = {}, columns = 100, rows = 40 }: AtTerminal = {}) {
    const line = `stty cols ${columns} rows ${rows}; exec ${[process.execPath, entry, ...args].map(word).join(' ')}`
    const told = { ...svc.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...env }
    this.#process = spawn('script', ['-qefc', line, '/dev/null'], { env: told, cwd: svc.folder })
    this.#end = ended(this.#process)
    this.#process.stdout.on('data', (text: string) => (this.#screen += text))
  }

  /** Waits until the screen shows the pattern. Throws if the program ends without it. */
  async shows(words: RegExp): Promise<void> {
    while (!words.test(this.#screen)) {
      const more = await Promise.race([once(this.#process.stdout, 'data'), this.#end.then(() => null)])
      if (more === null && !words.test(this.#screen))
        throw new Error(`the terminal never showed ${String(words)}: ${this.#screen}`)
    }
  }

  type(keys: string): void {
    this.#process.stdin.write(keys)
  }

  async end(): Promise<Seen> {
    const ran = await this.#end
    return { ...ran, screen: ran.stdout.replaceAll('\r\n', '\n') }
  }
}
