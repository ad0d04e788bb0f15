import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { listFlag, repeated } from '../src/cli/base/flags.js'
import { exitCodeOfSignal, waitForInterrupt } from '../src/cli/base/interruption.js'
import { onePage } from '../src/cli/base/pages.js'
import { checkSaveable } from '../src/cli/base/save.js'
import { nearestWord } from '../src/cli/errors/suggest.js'
import { ExitError, exitCodes, NoKeyError } from '../src/cli/errors/exit-codes.js'
import { describeWriteFailure } from '../src/cli/errors/file-error.js'
import { UsageError } from '../src/cli/errors/usage-error.js'
import { groups, type Group } from '../src/conform/groups.js'
import type { ExchangeLog } from '../src/conform/report/compare.js'
import { formatJUnit } from '../src/conform/report/junit.js'
import { formatReport } from '../src/conform/report/report.js'
import type { ConformanceResult, Difference } from '../src/conform/report/result.js'
import type { ConformanceOptions } from '../src/conform/run.js'
import { conforms, summarize } from '../src/conform/report/summary.js'
import { resultColumns } from '../src/output/columns/results.js'
import { Progress } from '../src/output/progress.js'
import { stripControlsFromLine } from '../src/output/sanitize.js'
import { canRedraw } from '../src/output/style.js'
import { wrapWords } from '../src/output/table/width.js'
import { urlOf } from '../src/url.js'

export default class Conform extends SvcCommand<typeof Conform> {
  static override summary = 'Check that a deployment keeps the contract'
  static override description =
    'Asks a deployment several hundred questions that follow from the contract and the numbered rules, and prints one line for each rule: ' +
    'holds, departs, or could not be asked. Needs a test key. Uses dry runs, and saves at most two leads, with the reserved test ' +
    'numbers. Removes the webhook endpoints and Do Not Call entries that it makes, and starts the campaign again that it pauses. ' +
    'Exits 1 if something departs.'
  static override examples = [
    '<%= config.bin %> conform --only parsing,errors',
    '<%= config.bin %> conform --profile work --junit conformance.xml',
    '<%= config.bin %> conform --profile work --slow --receiver https://hooks.example.com --listen 8080',
    '<%= config.bin %> conform --against simulator --json',
  ]
  static override flags = {
    only: Flags.string({
      summary: `Groups of checks to run; repeatable, or a comma-separated list of ${groups.join(', ')}`,
      helpValue: '<group>',
      ...repeated,
    }),
    slow: Flags.boolean({ summary: 'Run the checks that take minutes too' }),
    campaign: Flags.string({
      summary: 'Campaign for leads, which is also paused for a moment; the first running one by default',
      helpValue: '<name or id>',
    }),
    against: Flags.option({
      options: ['simulator'] as const,
      summary: 'Reference that gets the same requests, to show how the replies differ',
    })(),
    receiver: Flags.string({
      summary: 'Public https: URL that leads to the port of --listen, to check webhooks',
      helpValue: '<url>',
    }),
    listen: Flags.integer({ summary: 'Port of the local webhook receiver', min: 1, max: 65_535 }),
    junit: Flags.string({ summary: 'JUnit XML file to write, one test case a check', helpValue: '<file>' }),
    'requests-per-minute': Flags.integer({
      summary: 'Number of requests a minute; 120 by default, unlimited for a simulator without limits',
      min: 1,
    }),
    live: Flags.boolean({ summary: 'Allow a live key' }),
  }

  protected async perform({ flags }: Parsed<typeof Conform>): Promise<void> {
    const chosen = listFlag(flags.only)?.map(groupOf)
    this.#checkFlags(flags)
    const options = { ...this.#options(), groups: chosen, ...pick(flags) }
    if (this.settings.mode === 'live' && !flags.live) throw liveKeyError()
    if (flags.campaign !== undefined) options.campaign = await this.campaignId(await this.client(), flags.campaign)
    const began = systemClock.now()
    const signal = waitForInterrupt()
    const result = await this.#run({ ...options, signal }, flags.against !== undefined)
    if (flags.junit !== undefined) await this.#writeJUnit(flags.junit, result)
    await this.#print(result, chosen, (systemClock.now() - began) / 1000)
    if (result.interrupted) throw new ExitError(exitCodeOfSignal(signal))
    if (!conforms(result)) throw new ExitError(exitCodes.failed)
  }

  #checkFlags({ receiver, listen, junit }: { receiver?: string; listen?: number; junit?: string }): void {
    if (receiver !== undefined && urlOf(receiver)?.protocol !== 'https:')
      throw new UsageError(
        `--receiver "${receiver}": not an https: URL.`,
        'Webhooks go to public https: addresses only.',
      )
    if (receiver !== undefined && listen === undefined)
      throw new UsageError('--receiver needs --listen <port>.', 'The URL must lead to that port of this machine.')
    if (junit === '') throw new UsageError('--junit names no file.')
    checkSaveable(junit)
    this.expectColumns(resultColumns.conformanceCheck)
  }

  #options(): ConformanceOptions {
    const { baseUrl, key, userAgent = 'svc', totalMs } = this.transportOptions()
    if (!key) throw new NoKeyError(this.settings.withheld)
    return { baseUrl, key, userAgent, totalMs, runId: randomBytes(4).toString('hex') }
  }

  async #run(options: ConformanceOptions & { signal: AbortSignal }, isCompared: boolean): Promise<ConformanceResult> {
    const [{ runConformance, LiveKeyError }, { ExchangeLog }] = await Promise.all([
      import('../src/conform/run.js'),
      import('../src/conform/report/compare.js'),
    ])
    const { signal } = options
    const bar = this.#bar()
    const log = new ExchangeLog()
    const lines =
      this.printer().style.format === 'ndjson' ? await this.printer().lines(resultColumns.conformanceCheck) : undefined
    const writes: Promise<void>[] = []
    try {
      const result = await runConformance({
        ...options,
        onCheck: (check, done, total) => {
          bar.update({ done, total })
          if (lines) writes.push(lines([this.masked(check)]))
        },
        onWait: (ms, why) => bar.update({ ...bar.last, note: `waiting ${Math.ceil(ms / 1000)} s for ${why}` }),
        onExchange: (check, exchange) => log.add(check, exchange),
      })
      await Promise.all(writes)
      if (!isCompared || result.interrupted) return result
      return { ...result, differences: await this.#compare(log, { ...options, live: result.mode === 'live' }) }
    } catch (error) {
      if (signal.aborted) throw new ExitError(exitCodeOfSignal(signal))
      if (error instanceof LiveKeyError) throw liveKeyError()
      throw error
    } finally {
      bar.clear()
    }
  }

  async #compare(log: ExchangeLog, options: ConformanceOptions): Promise<Difference[]> {
    const [{ compareWithSimulator }, { startSimulator }] = await Promise.all([
      import('../src/conform/report/against.js'),
      import('../simulator/index.js'),
    ])
    return this.masked(await compareWithSimulator(log, options, startSimulator))
  }

  /** The progress bar, with the step that it shows. */
  #bar() {
    const { stderr, env } = this.around
    const isQuiet = this.printer().style.format === 'json' && !stderr.isTTY
    const progress = new Progress({
      what: 'checks',
      terminal: canRedraw(stderr, env) ? stderr : undefined,
      write: (text) => (isQuiet ? undefined : this.draw(text)),
      now: () => systemClock.now(),
    })
    const bar = {
      last: { done: 0, total: 1 },
      update: (step: { done: number; total: number; note?: string }) => {
        bar.last = { done: step.done, total: step.total }
        progress.update(step)
      },
      clear: () => progress.clear(),
    }
    return bar
  }

  async #writeJUnit(file: string, result: ConformanceResult): Promise<void> {
    try {
      writeFileSync(file, formatJUnit(this.masked(result)))
    } catch (error) {
      describeWriteFailure(file)(error as NodeJS.ErrnoException)
    }
  }

  async #print(result: ConformanceResult, chosen: readonly Group[] | undefined, seconds: number): Promise<void> {
    const printer = this.printer('table')
    const masked = this.masked(result)
    const { format, width, terminal } = printer.style
    if (format === 'json') return printer.json(masked)
    if (format === 'ndjson') return
    if (format !== 'table' || printer.style.columns !== undefined)
      return void (await printer.list(onePage({ data: masked.checks }), resultColumns.conformanceCheck))
    const lines = summarize(masked.checks, chosen)
    await printer.drawn((paint) => {
      const style = {
        width: terminal ? width : Infinity,
        red: paint.red,
        green: paint.green,
        dim: paint.dim,
        wrap: wrapWords,
        clean: stripControlsFromLine,
      }
      return formatReport(masked, lines, seconds, style)
    })
  }
}

/** Flags that are options of the suite as they are. */
const pick = ({
  slow,
  live,
  receiver,
  listen,
  'requests-per-minute': requestsPerMinute,
}: PickedFlags): Partial<ConformanceOptions> => ({
  slow,
  live,
  receiver,
  listen,
  requestsPerMinute,
})

interface PickedFlags {
  slow: boolean
  live: boolean
  receiver?: string | undefined
  listen?: number | undefined
  'requests-per-minute'?: number | undefined
}

const liveKeyError = (): UsageError =>
  new UsageError('The key is live, or its mode is not known.', 'Use a test key (ck_test_...), or add --live.')

function groupOf(text: string): Group {
  const found = groups.find((group) => group === text)
  if (found) return found
  const meant = nearestWord(text, groups)
  throw new UsageError(
    `--only "${text}": no such group.`,
    meant ? `Did you mean ${meant}? The groups are ${groups.join(', ')}.` : `The groups are ${groups.join(', ')}.`,
  )
}
