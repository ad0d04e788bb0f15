import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { describeAdvanced } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { parseEventFilter } from '../../src/cli/input/event-types.js'
import { durationMs } from '../../src/cli/base/flags.js'
import { exitCodes, ExitError, WaitedTooLongError } from '../../src/cli/errors/exit-codes.js'
import { advanceClock } from '../../src/cli/simulator/advance.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import type { Client } from '../../src/client/client.js'
import { systemClock } from '../../src/client/system-clock.js'
import type { ClockAdvance } from '../../src/contract/control/clock.js'
import type { Control } from '../../src/contract/control.js'
import { advanceWithinDays } from '../../src/contract/limits.js'
import { leadStatuses, outcomes } from '../../src/contract/enums.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { canRedraw } from '../../src/output/style.js'
import { Progress } from '../../src/output/progress.js'

const usualWithin = `${advanceWithinDays}d`

export default class SimulateAdvance extends SimulatorCommand<typeof SimulateAdvance> {
  static override summary = "Advance the simulator's clock"
  static override description =
    'Runs everything that falls due on the way, in order, before it returns: calls, retries, webhooks and their answers. Ctrl-C ' +
    'stops the clock at the current simulated time. With --until, --status or --outcome, stops as soon as all given conditions ' +
    'hold. Only new events count; a status or an outcome may hold already. Exits 9 if the time of --within passes first. --stop ' +
    'ends the advances of other programs at the simulated time they have reached.'
  static override examples = [
    '<%= config.bin %> simulate advance 4m',
    '<%= config.bin %> simulate advance 31d',
    '<%= config.bin %> simulate advance 2026-10-02T09:00:00Z',
    '<%= config.bin %> simulate advance --until call.completed --within 2d',
    '<%= config.bin %> simulate advance --lead +12125557812 --outcome interested',
    '<%= config.bin %> simulate advance --stop',
  ]
  static override args = {
    by: Args.string({
      description:
        'Distance: 90s, 4m, 24h, 31d, a number of seconds, or a date-time (required unless a condition is given)',
      ignoreStdin: true,
    }),
  }
  static override flags = {
    until: Flags.string({
      summary: 'Event type or glob, such as call.*, to stop at',
      helpValue: '<event>',
    }),
    lead: Flags.string({
      summary: 'Lead that the conditions apply to: its id, phone or external id',
      helpValue: '<lead>',
    }),
    status: Flags.option({ options: leadStatuses, summary: 'Status of the lead to stop at' })(),
    outcome: Flags.option({ options: outcomes, summary: 'Last outcome of the lead to stop at' })(),
    within: Flags.string({
      summary: `Maximum simulated time to advance; ${usualWithin} by default`,
      helpValue: '<2d>',
    }),
    stop: Flags.boolean({
      summary: 'Stop every advance that is under way',
      exclusive: ['until', 'lead', 'status', 'outcome', 'within'],
    }),
    ...controlFlags,
  }

  protected async perform({ args, flags }: Parsed<typeof SimulateAdvance>): Promise<void> {
    this.expectColumns(resourceColumns.clock)
    if (flags.stop) return this.#stop(args.by, flags['control-token'])
    const lead = flags.lead === undefined ? undefined : await this.leadId(flags.lead)
    const body = untilOf({ ...flags, lead }, args.by) ?? (await this.#lengthOf(args.by))
    const control = await this.control(flags['control-token'])
    const reply = await this.#pushed(control, body)
    this.shows(reply.body.data)
    await this.printer().record(reply.body, resourceColumns.clock)
    this.say(describeAdvanced(reply.body.data))
    if (reply.body.data.reached === false)
      throw new WaitedTooLongError(`It did not happen within ${flags.within ?? usualWithin} of simulated time.`)
  }

  async #stop(by: string | undefined, token: string | undefined): Promise<void> {
    if (by !== undefined) throw new UsageError(`${by} and --stop do not go together.`, 'Leave one of them out.')
    const control = await this.control(token)
    const { body } = await control.call('stopAdvance', {})
    this.shows(body.data)
    await this.printer().record(body, resourceColumns.clock)
    const { stopped, now } = body.data
    const what = stopped === 1 ? 'Stopped one advance' : `Stopped ${stopped} advances`
    this.say(stopped === 0 ? `No advance is under way. The clock shows ${now}.` : `${what}. The clock shows ${now}.`)
  }

  async #lengthOf(given: string | undefined): Promise<ClockAdvance> {
    const label = 'How far (4m, 24h, 31d, or a date-time)'
    const check = (typed: string) => faultOf(() => lengthOf(typed.trim()))
    const [by = ''] = await this.promptForMissing({ flag: '<by>', label, value: given, check })
    return lengthOf(by)
  }

  async #pushed(control: Client<Control>, body: ClockAdvance) {
    const { stderr } = this.around
    const stop = new AbortController()
    const interrupt = () => stop.abort(new ExitError(exitCodes.interrupted))
    process.once('SIGINT', interrupt)
    try {
      return await advanceClock(control, body, {
        progress: (what) =>
          new Progress({
            what,
            terminal: canRedraw(stderr, this.around.env) ? stderr : undefined,
            write: (text) => this.draw(text),
            now: () => systemClock.now(),
          }),
        machine: systemClock,
        signal: stop.signal,
      })
    } catch (error) {
      if (!stop.signal.aborted) throw error
      this.note(`Stopped. The clock shows ${(await control.call('getClock', {})).body.data.now}.\n`)
      throw stop.signal.reason
    } finally {
      process.removeListener('SIGINT', interrupt)
    }
  }
}

/** @throws UsageError if it is no duration and does not begin like a date-time, which the simulator reads. */
const lengthOf = (by: string): ClockAdvance => (/^\d{4}-/.test(by) ? { to: by } : { by: durationMs(by, '<by>') / 1000 })

/** True, or the fault of an answer as a sentence. */
function faultOf(read: () => unknown): string | true {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof UsageError) return `${error.message.replace('<by> ', '')} ${error.hint ?? ''}`.trim()
    throw error
  }
}

interface UntilFlags {
  until?: string | undefined
  lead?: string | undefined
  status?: NonNullable<ClockAdvance['until']>['status']
  outcome?: NonNullable<ClockAdvance['until']>['outcome']
  within?: string | undefined
}

/** The condition to stop at; undefined if no flag sets one. */
function untilOf({ until: event, lead: lead_id, status, outcome, within }: UntilFlags, by: string | undefined) {
  const isGiven = event !== undefined || status !== undefined || outcome !== undefined
  if (!isGiven && (lead_id !== undefined || within !== undefined))
    throw new UsageError(
      `--${lead_id === undefined ? 'within' : 'lead'} needs something to stop at.`,
      'Add --until <event>, --status or --outcome.',
    )
  if (!isGiven) return undefined
  if (by !== undefined)
    throw new UsageError(
      `${by} and something to stop at do not go together.`,
      `Write --within ${by} for the longest advance.`,
    )
  if (event !== undefined) parseEventFilter(event)
  if (within !== undefined) durationMs(within, '--within')
  return { until: { event, lead_id, status, outcome }, ...(within !== undefined && { within }) }
}
