/** Runs the built `svc` in a process of its own and tells all a shell would see of it. */
import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { builtProgram } from './built.js'
import { temporaryFolder } from './temporary-folder.js'

export interface Ended {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Surroundings {
  env?: Readonly<Record<string, string>>
  /** Written to standard input, which is then closed; left out, there is nothing to read. */
  input?: string
}

/** What the tests' own process must not pass on: settings of the machine, and what test runners set. */
const withheld = /^(SVC_|XDG_|CI$|NODE_|VITEST|NO_COLOR|FORCE_COLOR|npm_)/

export class Cli {
  /** Profiles of this person alone. */
  readonly configFolder = temporaryFolder()
  readonly #env: Readonly<Record<string, string>>

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env
  }

  async run(args: readonly string[], { env = {}, input }: Surroundings = {}): Promise<Ended> {
    const child = this.start(args, env, input === undefined ? 'ignore' : 'pipe')
    child.stdin?.end(input)
    return ended(child)
  }

  /** A running program, for tests that do something to it meanwhile. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
    const kept = Object.entries(process.env).filter(([name]) => !withheld.test(name))
    const own = { SVC_CONFIG_DIR: this.configFolder, ...this.#env, ...env }
    return spawn(process.execPath, [join(builtProgram(), 'bin/run.js'), ...args], {
      env: { ...Object.fromEntries(kept), ...own },
      stdio: [stdin, 'pipe', 'pipe'],
    })
  }
}

/** Waits until a program has ended and its streams are read to their ends. */
export async function ended(child: ChildProcess): Promise<Ended> {
  const over = new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve([code, signal]))
  })
  const [stdout, stderr, [code, signal]] = await Promise.all([read(child.stdout), read(child.stderr), over])
  return { code, signal, stdout, stderr }
}

const read = (stream: Readable | null): Promise<string> => (stream ? text(stream) : Promise.resolve(''))
