/**
 * Runs the built program inside the process of the test, because starting a process takes most of the time of a short
 * command. Each run finds its own `process` and `console` through its asynchronous context, so runs can overlap.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { Console } from 'node:console'
import { EventEmitter } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { pathToFileURL } from 'node:url'

export interface ProgramInput {
  /** The file to run. */
  entry: string
  args: readonly string[]
  env: Readonly<Record<string, string>>
  /** Working directory. */
  cwd: string
  /** Complete standard input. */
  stdin: string
  /** Columns of the terminal that it writes to. Without it, it writes to pipes. */
  columns?: number | undefined
  /** Presses Ctrl-C when this resolves. */
  interrupted?: Promise<unknown> | undefined
}

export interface ProgramOutput {
  code: number
  stdout: string
  stderr: string
}

/** Variables that Node or a native library reads when a process starts. */
const readAtStart = /^(NODE_|LD_|UV_|SSL_|LC_|LANG$|TZ$|DEBUG$)/

/** False where only a separate process shows what happens. `svc simulate` sets engine flags and waits for signals. */
export function canRunInProcess(args: readonly string[], env: Readonly<Record<string, string>>): boolean {
  const isAlready = (name: string) => env[name] === process.env[name]
  const [command, second = '-'] = args
  const isServer = command === 'simulate' && second.startsWith('-') && second !== '--help'
  // A program that it runs shares its real standard streams.
  const runsProgram = args.includes('--exec')
  return !isServer && !runsProgram && !Object.keys(env).some((name) => readAtStart.test(name) && !isAlready(name))
}

/** Runs the program to its end. Loads the entry file again for each run, but not the modules it imports. */
export async function runInProcess(input: ProgramInput): Promise<ProgramOutput> {
  const { entry, args, env, cwd, stdin, columns, interrupted } = input
  install()
  const run = new Run({ argv: [process.execPath, entry, ...args], env: { ...env }, cwd: () => cwd }, stdin, columns)
  const url = `${pathToFileURL(entry).href}?run=${++runs}`
  const main = current.run(run, async () => (await import(/* @vite-ignore */ url)) as unknown)
  void interrupted?.then(() => current.run(run, () => run.interrupt()))
  await Promise.race([main, run.exited])
  return run.end()
}

let runs = 0

/** One run, with what the program sees as its process. */
class Run {
  readonly process: NodeJS.Process
  readonly console: Console
  readonly exited: Promise<void>
  readonly #events = new EventEmitter()
  readonly #code: () => number
  readonly #chunks = { stdout: [] as Buffer[], stderr: [] as Buffer[] }
  #result: ProgramOutput | undefined

  constructor(own: Pick<NodeJS.Process, 'argv' | 'env' | 'cwd'>, input: string, columns?: number) {
    const size = { columns, rows: 40, getWindowSize: () => [columns, 40] }
    const atTerminal = columns === undefined ? {} : { isTTY: true, ...size }
    const stdout = Object.assign(this.#stream('stdout'), atTerminal)
    // A terminal shows both in the order in which they were written.
    const stderr = Object.assign(this.#stream(columns === undefined ? 'stderr' : 'stdout'), atTerminal)
    const stdin = columns === undefined ? Readable.from(input === '' ? [] : [Buffer.from(input)]) : untouchedKeyboard()
    this.console = new Console({ stdout, stderr })
    let exit = (): void => undefined
    this.exited = new Promise((resolve) => (exit = resolve))
    const events = this.#events
    const members: Record<PropertyKey, unknown> = {
      ...own,
      ...{ stdout, stderr, stdin, exitCode: undefined },
      exit: (code?: number) => {
        if (code !== undefined) members['exitCode'] = code
        this.end()
        exit()
      },
    }
    // Listeners for signals and for the exit belong to the run, not to the process of the tests.
    for (const method of ['on', 'once', 'off', 'addListener', 'removeListener', 'listenerCount', 'emit'] as const)
      members[method] = events[method].bind(events)
    this.#code = () => Number(members['exitCode'] ?? 0)
    this.process = new Proxy(real.process, {
      get: (target, name) => (name in members ? members[name] : (Reflect.get(target, name) as unknown)),
      set: (_target, name, value) => {
        members[name] = value
        return true
      },
    })
  }

  /** Ctrl-C. */
  interrupt(): void {
    this.#events.emit('SIGINT')
  }

  /** The result. Later output is lost, as after the end of a process. */
  end(): ProgramOutput {
    const text = (name: 'stdout' | 'stderr') => Buffer.concat(this.#chunks[name]).toString('utf8')
    return (this.#result ??= { code: this.#code(), stdout: text('stdout'), stderr: text('stderr') })
  }

  #stream(name: 'stdout' | 'stderr'): Writable {
    return new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks[name].push(chunk)
        done()
      },
    })
  }
}

/** Standard input of a terminal at which nobody types. */
const untouchedKeyboard = (): Readable => Object.assign(new Readable({ read: () => undefined }), { isTTY: true })

const current = new AsyncLocalStorage<Run>()
const real = { process: globalThis.process, console: globalThis.console, cwd: globalThis.process.cwd }
let isInstalled = false

/** Makes `process` and `console` those of the current run. Outside a run they are the real ones. */
function install(): void {
  if (isInstalled) return
  isInstalled = true
  for (const name of ['process', 'console'] as const)
    Object.defineProperty(globalThis, name, { configurable: true, get: () => current.getStore()?.[name] ?? real[name] })
  // Node resolves relative paths by the real process. A library inside Playwright would replace the function by one that
  // remembers its first answer.
  const cwd = () => current.getStore()?.process.cwd() ?? real.cwd.call(real.process)
  Object.defineProperty(real.process, 'cwd', { configurable: true, get: () => cwd, set: () => {} })
}
