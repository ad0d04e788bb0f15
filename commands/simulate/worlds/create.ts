import * as Flags from '@oclif/core/flags'
import { takeProgram } from '../../../src/cli/base/foreground-program.js'
import type { Parsed } from '../../../src/cli/base/command.js'
import { durationMs, speedOf } from '../../../src/cli/base/flags.js'
import { UsageError } from '../../../src/cli/errors/usage-error.js'
import { checkProgram, environmentFor, runAgainst } from '../../../src/cli/simulator/program.js'
import { controlFlags, SimulatorCommand } from '../../../src/cli/simulator/simulator-command.js'
import { readWorldText } from '../../../src/cli/simulator/world-text.js'
import { controlColumns } from '../../../src/output/columns/control.js'

const forever = 'never'

export default class SimulateWorldsCreate extends SimulatorCommand<typeof SimulateWorldsCreate> {
  static override summary = 'Create an isolated world, or fork one'
  static override description =
    'A world has its own data, keys, seed and clock, and its own base URL. Its clock is paused unless --running is given. ' +
    'With --exec, runs the command after -- against a new world, deletes the world, and exits with the exit code of the command. ' +
    'The command finds SVC_BASE_URL, SVC_CONTROL_URL, SVC_KEY_ID and SVC_SECRET (the test key) in its environment.'
  static override examples = [
    '<%= config.bin %> simulate worlds create --name checkout',
    '<%= config.bin %> simulate worlds create --from main --seed 7',
    '<%= config.bin %> simulate worlds create --exec -- npm test',
  ]
  // The words after `--` are the command to run.
  static override strict = false
  static override flags = {
    name: Flags.string({ summary: 'Name for people; need not be unique' }),
    from: Flags.string({ summary: 'World to fork; by default the beginning of the main world', helpValue: '<world>' }),
    snapshot: Flags.string({
      summary: 'Snapshot of the main world to begin with',
      helpValue: '<name>',
      exclusive: ['from'],
    }),
    seed: Flags.integer({ summary: 'Seed of ids and outcomes; in a fork, of later outcomes' }),
    now: Flags.string({ summary: 'Start time; not for a fork', helpValue: '<date-time>' }),
    world: Flags.string({ summary: 'World file to begin with', helpValue: '<file>' }),
    running: Flags.boolean({ summary: 'Let time pass by itself' }),
    speed: Flags.string({ summary: 'Clock speed factor (60 = one simulated minute per second)', helpValue: '<n>' }),
    'keep-endpoints': Flags.boolean({ summary: 'Leave the webhook endpoints of a fork active' }),
    'idle-ttl': Flags.string({
      summary: `Time without a request after which it is deleted, or ${forever}; 10m by default`,
      helpValue: '<duration>',
    }),
    exec: Flags.boolean({ summary: 'Run the command after -- against the world, then delete it' }),
    ...controlFlags,
  }

  #program: readonly string[] | undefined

  override async run(): Promise<void> {
    this.#program = takeProgram(this.argv)
    await super.run()
  }

  protected async perform({ flags, argv }: Parsed<typeof SimulateWorldsCreate>): Promise<void> {
    this.expectColumns(controlColumns.isolatedWorld)
    const [word] = argv
    if (word !== undefined)
      throw new UsageError(`svc simulate worlds create does not take the argument ${word}.`, 'Did you mean --name?')
    checkProgram(flags.exec, this.#program)
    const { name, seed, now, from, snapshot } = flags
    const idle = flags['idle-ttl']
    const speed = speedOf(flags.speed)
    const control = await this.control(flags['control-token'])
    const wanted = {
      ...(name !== undefined && { name }),
      ...(seed !== undefined && { seed }),
      ...(now !== undefined && { now }),
      ...(from !== undefined && { from }),
      ...(snapshot !== undefined && { from: { snapshot } }),
      ...(speed !== undefined && { speed }),
      ...(flags.world !== undefined && { world: await readWorldText(flags.world) }),
      ...(flags.running && { paused: false }),
      ...(flags['keep-endpoints'] && { endpoints: 'keep' as const }),
      ...(idle !== undefined && { idle_ttl_seconds: idle === forever ? null : secondsOf(idle) }),
    }
    // Waiting does not help: unlike a rate limit, the limit of worlds does not pass with time.
    const { body } = await control.call('createWorld', { body: wanted }, { maxWaitMs: 0 })
    if (!this.#program) {
      await this.printer().record(body, controlColumns.isolatedWorld)
      const { id, base_url: address } = body.data
      return this.say(`The world ${id} is ready at ${address}\nDelete it: svc simulate worlds delete ${id}`)
    }
    const { id, base_url: baseUrl, control_url: controlUrl, keys } = body.data
    try {
      const address = { baseUrl, controlUrl, controlToken: flags['control-token'] ?? null, keys }
      const isAtTerminal = Boolean(this.around.stdin.isTTY)
      const environment = environmentFor(address, this.around.env)
      this.exitWith(await runAgainst(this.#program, environment, { isAtTerminal, note: (text) => this.note(text) }))
    } finally {
      await control.call('deleteWorld', { params: { id } })
    }
  }
}

const secondsOf = (text: string): number => Math.max(1, Math.round(durationMs(text, '--idle-ttl') / 1000))
