import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { waitForInterrupt } from '../src/cli/base/interruption.js'
import { repeated } from '../src/cli/base/flags.js'
import { NoKeyError } from '../src/cli/errors/exit-codes.js'
import { UsageError } from '../src/cli/errors/usage-error.js'
import { planNeeds, readPlanAnswers, type PlanAnswers } from '../src/cli/plan/plan-questions.js'
import { parseLines } from '../src/cli/plan/flag-values.js'
import { gather, gatherLeads, readFlags, type PlanFlags } from '../src/cli/plan/gather.js'
import { leaveOutMarked } from '../src/cli/plan/marked-leads.js'
import { PlanRun } from '../src/cli/plan/plan-run.js'
import type { Client, Contract } from '../src/client/client.js'

const seedsMax = 100

export default class Plan extends SvcCommand<typeof Plan> {
  static override summary = 'Plan how many lines a list of leads needs by a deadline'
  static override description =
    'Simulates the whole campaign for several numbers of lines, with its calling hours, time zones, retries, cooldown and spend ' +
    'cap. Shows the smallest number that makes the deadline in 90% of the simulations, when all leads are done, what it costs, ' +
    'and which rule holds it back. Reads the campaign from the service. Sends no lead and changes nothing. Exits 5 if no ' +
    'number of lines makes the deadline, or if the spend cap ends the calling. Without leads, asks for them and for the rest at a terminal.'
  static override examples = [
    '<%= config.bin %> plan --leads 500 --areas 212:30,415:20,808:5 --hours "mon-fri 09:00-18:00" --attempts 3 --lines 5,10',
    '<%= config.bin %> plan people.csv --campaign "Web leads" --by "2030-01-11 17:00" --start 2030-01-07',
    '<%= config.bin %> plan people.csv --campaign "Web leads" --lines 5,10,20 --calibrate 30d --chart',
    '<%= config.bin %> plan --leads 50000 --mix answered=42,voicemail=26,no_answer=28,busy=4 --talk 75s --json',
  ]
  static override args = {
    file: Args.string({
      description: 'CSV, .xlsx or JSON lines file of leads, or - for standard input (required without --leads)',
      ignoreStdin: true,
    }),
  }
  static override flags = {
    campaign: Flags.string({
      summary: 'Campaign whose settings are used; default settings without it',
      helpValue: '<name or id>',
    }),
    by: Flags.string({
      summary:
        'Deadline, such as friday or "2026-11-27 17:00", in the time zone of the organization unless it names one',
      helpValue: '<date-time>',
    }),
    lines: Flags.string({
      summary: 'Numbers of lines to compare; found by the plan by default',
      helpValue: '<5,10,20>',
    }),
    leads: Flags.integer({
      summary: 'Number of made-up leads, or a file',
      min: 1,
      exclusive: ['map', 'sheet', 'skip-marked'],
    }),
    areas: Flags.string({
      summary: 'Area codes of made-up leads, with weights',
      helpValue: '<212:30,415:20>',
      dependsOn: ['leads'],
    }),
    hours: Flags.string({
      summary: 'Calling hours, instead of those of the campaign',
      helpValue: '<hours>',
      ...repeated,
    }),
    attempts: Flags.integer({
      summary: 'Calls to a lead at most, instead of the setting of the campaign',
      min: 1,
      max: 100,
    }),
    mix: Flags.string({
      summary: 'Percent of calls by answer, which add up to 100',
      helpValue: '<answered=42,...>',
    }),
    talk: Flags.string({ summary: 'Mean talk when a person answers', helpValue: '<75s>' }),
    calibrate: Flags.string({ summary: 'Fit answers and lengths to the calls of the last days', helpValue: '<30d>' }),
    start: Flags.string({ summary: 'Start, instead of the clock of the service', helpValue: '<date-time>' }),
    within: Flags.string({ summary: 'Simulated time at most, 60 days by default', helpValue: '<60d>', default: '60d' }),
    seeds: Flags.integer({
      summary: 'Simulations for each number of lines, 5 by default',
      min: 1,
      max: seedsMax,
      default: 5,
    }),
    seed: Flags.integer({ summary: 'First seed; the same seed gives the same plan', min: 0, default: 1 }),
    'rate-usd': Flags.string({ summary: 'Cost of a minute, instead of the rate in the usage', helpValue: '<0.12>' }),
    'check-dnc': Flags.boolean({ summary: 'Read the Do Not Call list and leave its numbers out' }),
    map: Flags.string({
      summary: 'Column and the field it fills (repeatable)',
      helpValue: '<column=field>',
      ...repeated,
    }),
    sheet: Flags.string({
      summary: 'Sheet of an .xlsx workbook to read; the first one by default',
      helpValue: '<name>',
    }),
    'skip-marked': Flags.boolean({
      summary: 'Leave out rows marked in a column such as "Do Not Call", or with such a value',
    }),
    chart: Flags.boolean({ summary: 'Draw the calls of each hour by day' }),
  }

  /** `--leads people.csv` means the file, as the question about the leads takes a file or a number. */
  override async run(): Promise<void> {
    const at = this.argv.findIndex((word) => word === '--leads' || word.startsWith('--leads='))
    const value = this.argv[at]?.split(/=(.*)/s)[1] ?? this.argv[at + 1] ?? ''
    if (at >= 0 && /[^\d.-]/.test(value) && /[./]/.test(value))
      this.argv.splice(at, this.argv[at] === '--leads' ? 2 : 1, value)
    await super.run()
  }

  protected async perform({ args, flags: given }: Parsed<typeof Plan>): Promise<void> {
    const run = new PlanRun(this, { withChart: given.chart })
    parseLines(given.lines)
    const read = readFlags(given)
    const isAsked = args.file === undefined && given.leads === undefined && this.isInteractive
    const { file: askedFile, ...asked } = isAsked ? await this.#ask(given) : {}
    const flags = { ...given, ...asked }
    const lines = parseLines(flags.lines)
    const file = this.#fileOf(askedFile ?? args.file, flags.leads)
    const leads = await gatherLeads(file, flags, this.around, {
      now: systemClock.now(),
      leaveOut: leaveOutMarked(this, flags['skip-marked']),
    })
    const client = await this.#clientIfAny(flags)
    const campaign = client && (await this.campaignId(client, flags.campaign))
    const now = client && (await this.simulatorClock())
    const seeds = Array.from({ length: flags.seeds }, (_, at) => flags.seed + at)
    const signal = waitForInterrupt()
    const gathered = await run.reading(signal, (onRead) =>
      gather(flags, { client, campaign, now, read, leads, signal, onRead }),
    )
    await run.simulate({ gathered, leads, lines, seeds, signal })
  }

  /** Asks a person for the leads, and for what was not given with them. */
  async #ask(flags: Parsed<typeof Plan>['flags']): Promise<PlanAnswers> {
    const client = await this.#clientIfAny(flags)
    const now = (client && (await this.simulatorClock())) ?? systemClock.now()
    const find = (text: string) => client && this.campaignId(client, text)
    return readPlanAnswers(await this.promptForMissing(...planNeeds(flags, { client, now, io: this.around, find })))
  }

  /** A file or `--leads`, not both. */
  #fileOf(file: string | undefined, count: number | undefined): string | undefined {
    if (file !== undefined && count !== undefined)
      throw new UsageError('<file> and --leads do not go together.', 'Leave one of the two out.')
    if (file === undefined && count === undefined)
      throw new UsageError('No leads to plan.', 'Name a file, or give a number with --leads 50000.')
    return file
  }

  /** Without a key, a plan that needs nothing of the service goes on with default settings. */
  async #clientIfAny(flags: PlanFlags & { campaign?: string | undefined }): Promise<Client<Contract> | undefined> {
    try {
      return await this.client()
    } catch (error) {
      const needsService = flags.campaign !== undefined || flags.calibrate !== undefined || flags['check-dnc']
      if (!(error instanceof NoKeyError) || needsService) throw error
      return undefined
    }
  }
}
