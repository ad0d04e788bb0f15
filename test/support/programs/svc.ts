/** Runs the built program with its own home, settings and data. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEachFile } from '../ends.js'
import { canRunInProcess, runInProcess } from './in-process.js'
import { shellWords } from './shell-words.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** The entry file. */
export const entry = join(root, 'bin', 'run.js')

/** A command in the manifest. */
export interface ListedCommand {
  id: string
  summary?: string
  examples: readonly string[]
  args: Readonly<Record<string, { name: string; description?: string; required?: boolean }>>
  flags: Readonly<Record<string, ListedFlag>>
}

interface ListedFlag {
  name: string
  type: 'boolean' | 'option'
  summary?: string
  required?: boolean
  options?: readonly string[]
  helpValue?: string
  helpGroup?: string
}

/** Every command in the manifest, by what the user types: `leads add`. */
export function everyCommand(): [typed: string, command: ListedCommand][] {
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, ListedCommand>
  }
  return Object.entries(commands).map(([id, command]) => [id.replaceAll(':', ' '), command])
}

/** Ids in place of the names and phones of examples: no lookup comes before the request. */
const withIds = (example: string): string =>
  example
    .replace(/"Web leads"/, '8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11')
    .replace(/(leads (?:explain|get|watch|update|opt-out)|--lead) \+\d+/, '$1 3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11')

/** An example that contains only the command itself, as a line for `Svc.shell`. */
export function exampleOf([typed, { examples }]: [string, ListedCommand]): string {
  const plain = examples
    .map((one) => one.replaceAll('<%= config.bin %>', 'svc'))
    .find((one) => one.startsWith('svc') && !/ [|>&]| -- /.test(one))
  return withIds(plain ?? `svc ${typed}`)
}

export interface Ran {
  /** Null if a signal ended it. */
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface Words {
  env?: Readonly<Record<string, string>>
  /** Standard input; empty by default. */
  stdin?: string
  /** Columns of a terminal to write to, if it runs inside the test's process. Nobody types at it. */
  columns?: number
  /** Presses Ctrl-C when this resolves, if the program runs inside the test's process. */
  interrupted?: Promise<unknown>
}

type Environment = Readonly<Record<string, string>>

/**
 * `SPAWN=1 npx vitest run test/cli` runs every command in a separate process, to show that the results are the same.
 */
const alwaysSpawns = process.env['SPAWN'] === '1'

/** Maximum number of programs at the same time. More would only wait for each other. */
const atOnce = 3
let free = atOnce
const waiting: (() => void)[] = []

const opened: Svc[] = []
afterEachFile(async () => {
  for (const svc of opened.splice(0)) await svc.close()
})

export class Svc {
  /** Folder of its settings and data. */
  readonly folder = mkdtempSync(join(tmpdir(), 'svc-'))
  readonly env: Environment
  readonly #running = new Set<RunningSvc>()

  /** `env` is the whole environment apart from the program's folders. */
  constructor(env: Environment = {}) {
    const own = {
      HOME: this.folder,
      SVC_CONFIG_DIR: join(this.folder, 'config'),
      SVC_DATA_DIR: join(this.folder, 'data'),
    }
    this.env = { PATH: process.env['PATH'] ?? '', ...own, ...env }
    opened.push(this)
  }

  /** Runs it to its end. Stays inside the test's process if possible, because that is much faster. */
  async run(args: readonly string[], words: Words = {}): Promise<Ran> {
    const { stdin = '', columns, interrupted } = words
    const env = { ...this.env, ...words.env }
    if (!this.runsInProcess(args, env)) return await this.spawn(args, words)
    const input = { entry, args, env, cwd: this.folder, stdin, columns, interrupted }
    return { ...(await runInProcess(input)), signal: null }
  }

  /** Whether `run` stays inside the test's process. */
  runsInProcess(args: readonly string[], env: Environment = {}): boolean {
    return !alwaysSpawns && canRunInProcess(args, { ...this.env, ...env })
  }

  /** Runs it to its end in a separate process. */
  async spawn(args: readonly string[], { env, stdin }: Words = {}): Promise<Ran> {
    return await oneOfFew(async () => {
      const running = this.start(args, env)
      if (stdin !== undefined) running.process.stdin.write(stdin)
      running.process.stdin.end()
      return await running.end()
    })
  }

  /** Runs a shell line that calls `svc`. Starts a shell only if the line needs one. */
  async shell(line: string, words: Pick<Words, 'env'> = {}): Promise<Ran> {
    const { env } = words
    const [program, ...args] = shellWords(line, { ...this.env, ...env }) ?? []
    if (program === 'svc' && this.runsInProcess(args, env)) return await this.run(args, words)
    const told = { ...this.env, ...env, SVC_NODE: process.execPath, SVC_ENTRY: entry }
    const script = `set -o pipefail\nsvc() { exec "$SVC_NODE" "$SVC_ENTRY" "$@"; }\n${line}`
    return await oneOfFew(async () => {
      const shell = spawn('bash', ['-c', script], { env: told, cwd: this.folder })
      shell.stdin.end()
      return await ended(shell)
    })
  }

  /** Starts it and leaves it running. */
  start(args: readonly string[], env: Environment = {}): RunningSvc {
    const running = new RunningSvc(
      spawn(process.execPath, [entry, ...args], { env: { ...this.env, ...env }, cwd: this.folder }),
    )
    this.#running.add(running)
    return running
  }

  async close(): Promise<void> {
    for (const running of this.#running) await running.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}

/** A running program. */
export class RunningSvc {
  readonly #end: Promise<Ran>
  readonly #lines: AsyncIterator<string>
  #stderr = ''

  constructor(readonly process: ChildProcessWithoutNullStreams) {
    this.#lines = createInterface(process.stdout)[Symbol.asyncIterator]()
    this.#end = ended(process)
    process.stderr.on('data', (text: string) => (this.#stderr += text))
  }

  /** Waits until stderr contains the pattern. Throws if the program ends without it. */
  async says(words: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = words.exec(this.#stderr)
      if (found) return found
      const more = await Promise.race([once(this.process.stderr, 'data'), this.#end.then(() => null)])
      if (more === null) throw new Error(`svc ended without saying ${String(words)}: ${this.#stderr}`)
    }
  }

  /** Reads the next line of stdout. Throws the program's stderr if it ends without one. */
  async line(): Promise<string> {
    const next = await this.#lines.next()
    if (next.done) throw new Error(`svc ended without a line: ${(await this.#end).stderr}`)
    return next.value
  }

  end(): Promise<Ran> {
    return this.#end
  }

  /** Sends a signal and waits for the end. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<Ran> {
    this.process.kill(signal)
    return await this.#end
  }
}

/** The complete output of a process that has ended and closed its pipes. */
export async function ended(process: ChildProcessWithoutNullStreams): Promise<Ran> {
  const said = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    process[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text))
  // A program that does not read to the end closes the pipe.
  process.stdin.on('error', () => undefined)
  const [code, signal] = (await once(process, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, ...said }
}

async function oneOfFew<T>(work: () => Promise<T>): Promise<T> {
  if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve))
  else free--
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else free++
  }
}
