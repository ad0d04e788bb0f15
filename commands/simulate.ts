import { once } from 'node:events'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import * as Flags from '@oclif/core/flags'
import { takeProgram } from '../src/cli/base/foreground-program.js'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { durationMs, repeated, speedOf } from '../src/cli/base/flags.js'
import { openInBrowser } from '../src/cli/base/open-in-browser.js'
import { exitCodeOfSignal, waitForInterrupt } from '../src/cli/base/interruption.js'
import {
  writeBanner,
  hasNoEffect,
  describeIgnoredFlags,
  type Running,
  type Saved,
} from '../src/cli/simulator/banner.js'
import { checkProgram, environmentFor, runAgainst } from '../src/cli/simulator/program.js'
import { profileNameFor, saveKeys, usableKeys } from '../src/cli/simulator/profiles.js'
import { describeUnknownSubcommand } from '../src/cli/errors/unknown-command.js'
import { UsageError } from '../src/cli/errors/usage-error.js'
import { knownCommandsOf } from '../src/cli/help/command-summaries.js'
import { describeFileError } from '../src/cli/errors/file-error.js'
import { makeFolders } from '../src/config/private-file.js'
import type { Profiles } from '../src/config/profiles.js'
import { SettingsError } from '../src/config/settings-error.js'

const usualPort = 4010

export default class Simulate extends SvcCommand<typeof Simulate> {
  static override summary = 'Run the whole service on this machine'
  static override description =
    'Starts a simulator with the API, its dialing rules, a clock you can advance, and real webhooks. Runs until Ctrl-C. Saves its ' +
    'keys as the profiles simulator (test) and simulator-live, and makes simulator the current profile if there is none. If ' +
    'another running simulator uses those names, saves simulator-<port> and simulator-<port>-live instead. With --exec, runs the ' +
    'command after -- against a simulator in memory on a free port, saves no profile, and exits with the exit code of the command. ' +
    'The command finds SVC_BASE_URL, SVC_CONTROL_URL, SVC_KEY_ID and SVC_SECRET (the test key) in its environment.'
  static override examples = [
    '<%= config.bin %> simulate',
    '<%= config.bin %> simulate --paused --now 2026-10-01T15:00:00Z --data :memory:',
    '<%= config.bin %> simulate --port 0 --allow-local-webhooks --json',
    '<%= config.bin %> simulate --paused --open',
    '<%= config.bin %> simulate --paused --exec -- npm test',
  ]
  // The words after `--` are the command to run.
  static override strict = false
  static override flags = {
    port: Flags.integer({
      summary: `Port to listen on; 0 for any free port (default: ${usualPort}, or any with --exec)`,
      min: 0,
      max: 65_535,
    }),
    host: Flags.string({ summary: 'Address to listen on', default: '127.0.0.1' }),
    data: Flags.string({ summary: 'Data file, or :memory:', helpValue: '<file>' }),
    fresh: Flags.boolean({ summary: 'Discard the contents of the data file' }),
    seed: Flags.integer({
      summary: 'Seed of a fresh world, for ids, keys and outcomes; for secrets too if only this machine can connect',
    }),
    now: Flags.string({ summary: 'Start time of a fresh world', helpValue: '<date-time>' }),
    world: Flags.string({
      summary: 'World file for a fresh world: organizations, campaigns and keys',
      helpValue: '<file>',
    }),
    speed: Flags.string({ summary: 'Clock speed factor (60 = one simulated minute per second)', helpValue: '<n>' }),
    paused: Flags.boolean({ summary: 'Pause the clock; advance it with svc simulate advance' }),
    'allow-local-webhooks': Flags.boolean({ summary: 'Allow webhooks to http: addresses and to this machine' }),
    'no-limits': Flags.boolean({
      summary: 'Turn off rate limits, RateLimit headers, the limit on simultaneous requests, and webhook pacing',
    }),
    'webhook-timeout': Flags.string({
      summary: 'Time a webhook receiver has to answer; 10s by default',
      helpValue: '<duration>',
    }),
    'allow-host': Flags.string({
      summary: 'Host name to accept requests for, such as a container (repeatable)',
      helpValue: '<name>',
      ...repeated,
    }),
    'control-token': Flags.string({
      summary: 'Token that /_sim requires from other machines',
      helpValue: '<token>',
      env: 'SVC_CONTROL_TOKEN',
    }),
    'worlds-max': Flags.integer({
      summary: 'Maximum number of isolated worlds; 1000 by default',
      min: 0,
      helpValue: '<n>',
    }),
    'no-profile': Flags.boolean({ summary: 'Save no profile' }),
    open: Flags.boolean({ summary: 'Open the console in the browser' }),
    exec: Flags.boolean({ summary: 'Run the command after -- against this simulator, and exit with it' }),
  }

  #program: readonly string[] | undefined

  override async run(): Promise<void> {
    this.#program = takeProgram(this.argv)
    await super.run()
  }

  protected async perform({ flags, argv }: Parsed<typeof Simulate>): Promise<void> {
    this.#checkWords(flags.exec, argv)
    const speed = speedOf(flags.speed)
    const webhookTimeout = flags['webhook-timeout']
    const data = flags.data ?? (flags.exec ? ':memory:' : this.#usualFile())
    const port = flags.port ?? (flags.exec ? 0 : usualPort)
    // The heap grows in smaller steps: with 100,000 leads the process takes a fifth less memory, and no more time.
    setFlagsFromString('--heap-growing-percent=80')
    const { startSimulator } = await import('../simulator/index.js')
    const simulator = await startSimulator({
      port,
      host: flags.host,
      data,
      fresh: flags.fresh,
      ...(flags.seed !== undefined && { seed: flags.seed }),
      ...(flags.world !== undefined && { world: flags.world }),
      ...(flags.now !== undefined && { now: flags.now }),
      ...(speed !== undefined && { speed }),
      ...(flags.paused && { paused: true }),
      allowLocalWebhooks: flags['allow-local-webhooks'],
      limits: !flags['no-limits'],
      ...(flags['allow-host'] && { allowHosts: flags['allow-host'] }),
      ...(webhookTimeout !== undefined && { webhookTimeoutMs: durationMs(webhookTimeout, '--webhook-timeout') }),
      ...(flags['worlds-max'] !== undefined && { worldsMax: flags['worlds-max'] }),
      ...(flags['control-token'] !== undefined && { controlToken: flags['control-token'] }),
    }).catch((error: unknown) => {
      throw inWords(error, { port, host: flags.host })
    })
    try {
      if (this.#program) return await this.#exec(this.#program, simulator)
      const interrupted = waitForInterrupt()
      const ending = once(interrupted, 'abort')
      const running: Running = {
        ...simulator,
        now: simulator.now(),
        data,
        flags,
        world: simulator.describe(),
        changed: changedFlags(flags),
      }
      const saved = flags['no-profile'] ? { name: null, inUse: null } : await this.#saved(running)
      // One line, so that a reader knows when the object is complete.
      if (flags.json || flags.output === 'json' || flags.output === 'ndjson') {
        if (hasNoEffect(running)) this.note(`${describeIgnoredFlags(running)}\n`)
        await this.printer().jsonLines([describeReady(running, saved)])
      } else this.note(writeBanner(running, saved))
      if (flags.open) await this.#open(simulator.url)
      await ending
      this.note('\nStopping.\n')
      this.exitWith(exitCodeOfSignal(interrupted))
    } finally {
      await simulator.close()
    }
  }

  async #open(url: string): Promise<void> {
    const address = `${url}/console/`
    if (await openInBrowser(address, this.around.env)) return
    this.note(`No browser could be opened. The console is at ${address}\n`)
  }

  #checkWords(exec = false, words: readonly string[]): void {
    const [word] = words
    if (word !== undefined && exec)
      throw new UsageError(
        `svc simulate does not take the argument ${word}.`,
        'Put -- before the command: svc simulate --exec -- npm test',
      )
    if (word !== undefined) throw describeUnknownSubcommand(this.typed, words, knownCommandsOf(this.config))
    checkProgram(exec, this.#program)
  }

  /** Runs a program with this simulator's address and keys in its environment. */
  async #exec(words: readonly string[], simulator: Started): Promise<void> {
    const { baseUrl, url, controlToken } = simulator
    const address = { baseUrl, controlUrl: `${url}/_sim`, controlToken, keys: simulator.describe().keys }
    const isAtTerminal = Boolean(this.around.stdin.isTTY)
    const environment = environmentFor(address, this.around.env)
    this.exitWith(await runAgainst(words, environment, { isAtTerminal, note: (text) => this.note(text) }))
  }

  /** Saves the keys as a profile. The simulator also runs if the folder cannot be written. */
  async #saved(running: Running): Promise<Saved> {
    try {
      const profiles: Profiles = this.profiles()
      const name = await profileNameFor(profiles, running.baseUrl)
      return { name, inUse: saveKeys(profiles, running, name) }
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error
      this.note(`No profile was saved: ${error.message}\n`)
      return { name: null, inUse: null }
    }
  }

  #usualFile(): string {
    const { dataFolder } = this.around
    try {
      makeFolders(dataFolder)
    } catch (error) {
      throw new Error(
        `The folder ${dataFolder} cannot be made: ${describeFileError(error as NodeJS.ErrnoException)}. Name another with SVC_DATA_DIR, or a file with --data.`,
        { cause: error },
      )
    }
    return join(dataFolder, 'simulator.db')
  }
}

/** What a program that runs against the simulator needs. */
interface Started {
  url: string
  baseUrl: string
  controlToken: string | null
  describe(): Running['world']
}

/** The JSON object printed when the simulator is ready. */
function describeReady(running: Running, { name }: Saved) {
  const { test, live } = usableKeys(running)
  const key = (pair: typeof test) => pair && { key_id: pair.key_id, secret: pair.secret }
  return {
    ready: true,
    url: running.url,
    console_url: `${running.url}/console/`,
    base_url: running.baseUrl,
    now: running.now,
    ...running.world.clock,
    data: running.data,
    resumed: running.resumed,
    control_token: running.controlToken,
    profile: name,
    organization_id: running.world.organization_id,
    campaign_id: running.world.campaigns[0]?.id ?? null,
    campaigns: running.world.campaigns,
    test: key(test),
    live: key(live),
    pid: process.pid,
  }
}

/** Names the given flags that only apply to a fresh world. */
const changedFlags = (flags: { seed?: number | undefined; now?: string | undefined; world?: string | undefined }) =>
  (['seed', 'now', 'world'] as const).filter((name) => flags[name] !== undefined)

function inWords(error: unknown, { port, host }: { port: number; host: string }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(
      `Port ${port} is taken, perhaps by a simulator that runs already. Choose another with --port, or any with --port 0.`,
    )
  if (code === 'EACCES') return new Error(`Port ${port} is not yours to listen on. Choose one above 1023 with --port.`)
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EADDRNOTAVAIL')
    return new Error(
      `${host} is not an address of this machine. Use 127.0.0.1 for this machine only, or 0.0.0.0 for all its addresses.`,
    )
  if (!(error instanceof RangeError)) return error
  const [message = '', ...faults] = error.message.split('\n')
  return new UsageError(
    message,
    undefined,
    faults.map((fault) => fault.trim()),
  )
}
