/** Runs a plan for a command: progress, threads, result and exit code. */
import { systemClock } from '../../client/system-clock.js'
import { planColumns, planRowColumns } from '../../output/columns/plan.js'
import { Progress, type Step } from '../../output/progress.js'
import { canRedraw } from '../../output/style.js'
import type { SvcCommand } from '../base/command.js'
import { exitCodeOfSignal } from '../base/interruption.js'
import { onePage } from '../base/pages.js'
import { wantsJson } from '../base/wants-json.js'
import { InterruptedError, RuleError } from '../errors/exit-codes.js'
import { describeAnswer, refusalSentence, reliefSentence } from './report/answer.js'
import { describeMix } from './report/assumptions.js'
import type { Gathered, PlanLeads } from './gather.js'
import { PlanMaker } from './make-plan.js'
import type { PlanResult, UnreachableLead } from './report/plan-result.js'
import { renderPlan } from './report/render.js'
import { listUnreachable } from './report/unreachable.js'
import { WorldThreads } from './world-threads.js'
import type { LoadedLeads } from '../../plan/planned-world.js'

export interface Simulation {
  gathered: Gathered
  leads: PlanLeads
  lines: readonly number[] | undefined
  seeds: readonly number[]
  signal: AbortSignal
}

export class PlanRun {
  readonly #command: SvcCommand
  readonly #withChart: boolean

  constructor(command: SvcCommand, { withChart }: { withChart: boolean }) {
    this.#command = command
    this.#withChart = withChart
    // Rejects unknown columns before anything is read.
    command.expectColumns(this.#isJson ? planColumns : planRowColumns)
  }

  get #isJson(): boolean {
    const { format } = this.#command.printer('table').style
    return format === 'json' || format === 'ndjson'
  }

  /** Shows how far a long reading is. */
  async reading<T>(
    signal: AbortSignal,
    work: (onRead: (what: string, count: number) => void) => Promise<T>,
  ): Promise<T> {
    let bar: { what: string; bar: Progress } | undefined
    try {
      return await work((what, done) => {
        if (bar?.what !== what) {
          bar?.bar.clear()
          bar = { what, bar: this.#bar(`${what} read`) }
        }
        bar.bar.update({ done })
      })
    } catch (error) {
      throw signal.aborted ? interrupted(signal) : error
    } finally {
      bar?.bar.clear()
    }
  }

  async simulate(simulation: Simulation): Promise<void> {
    const { gathered, leads, seeds, signal } = simulation
    const bar = this.#bar('simulations')
    try {
      const { threads, loaded } = await WorldThreads.open(gathered.settings, leads.leads, { signal })
      const plan = new PlanMaker(questionOf(simulation, loaded, threads.count), {
        run: (run) => threads.run(run),
        onChange: stepper(bar, seeds.length, simulation.lines?.length),
      })
      let isComplete = false
      try {
        if (loaded.callable > 0) await plan.make()
        isComplete = true
      } catch (error) {
        if (!signal.aborted) throw error
      } finally {
        await threads.close()
        bar.clear()
      }
      await this.#finish(resultOf(simulation, loaded, plan, isComplete), signal)
    } catch (error) {
      bar.clear()
      if (signal.aborted && !(error instanceof InterruptedError)) throw interrupted(signal)
      throw error
    }
  }

  async #finish(result: PlanResult, signal: AbortSignal): Promise<void> {
    await this.#print(result)
    if (signal.aborted) throw interrupted(signal)
    const zone = this.#zoneOf(result)
    if (result.leads.callable === 0) throw new RuleError('None of the leads can be called.', this.#whyNone(result))
    const capEnds = result.table.length > 0 && result.table.every(({ cap_reached }) => cap_reached)
    if (capEnds || (result.deadline !== null && result.lines === null))
      throw new RuleError(`${refusalSentence(result, zone)}.`, reliefSentence(result, zone))
  }

  #whyNone({ unreachable }: PlanResult): string {
    if (this.#isText) return 'The list above says why for each of them.'
    const groups = listUnreachable(unreachable)
    return `${groups.map(([count, reason]) => `${count} ${count === '1' ? 'lead' : 'leads'}: ${reason}`).join('; ')}.`
  }

  /** Whether the plan is printed as sentences and sections. */
  get #isText(): boolean {
    const { format, columns } = this.#command.printer().style
    return format === 'table' && !columns
  }

  async #print(result: PlanResult): Promise<void> {
    const printer = this.#command.printer()
    const { format, terminal, width, header } = printer.style
    const shown = this.#withChart ? result : omitChart(result)
    if (format === 'json') return printer.json(shown)
    if (format === 'ndjson') return printer.jsonLines([shown])
    if (!this.#isText) {
      await printer.list(onePage({ data: result.table }), planRowColumns)
      if (!wantsJson(this.#command.argv))
        this.#command.note(`${describeAnswer(result, this.#zoneOf(result))[0] ?? ''}\n`)
      return
    }
    const { Chalk } = await import('chalk')
    const paint = new Chalk({ level: printer.style.color ? 1 : 0 })
    const style = { width: terminal ? width : Infinity, zone: this.#zoneOf(result), withChart: this.#withChart, header }
    await printer.painted(await renderPlan(result, style, paint))
  }

  /** With `--utc`, people see UTC too. */
  #zoneOf({ assumptions }: PlanResult): string {
    return this.#command.flagsGiven.utc ? 'UTC' : assumptions.time_zone
  }

  #bar(what: string): Progress {
    const { stderr, env } = this.#command.around
    const isReadByProgram = wantsJson(this.#command.argv) && !stderr.isTTY
    return new Progress({
      what,
      terminal: canRedraw(stderr, env) ? stderr : undefined,
      write: (text) => (isReadByProgram ? undefined : this.#command.draw(text)),
      now: () => systemClock.now(),
    })
  }
}

const interrupted = (signal: AbortSignal): InterruptedError =>
  new InterruptedError('Stopped. Nothing was changed.', undefined, exitCodeOfSignal(signal))

/** Shows ended simulations. How many there will be is an estimate: a search decides as it goes. */
function stepper(bar: { update: (step: Step) => void }, seeds: number, rows: number | undefined) {
  const shown = rows ?? expectedRows
  const expected = shown * seeds + 2 * shown + (rows === undefined ? expectedProbes : 0)
  return ({ started, ended }: { started: number; ended: number }) =>
    bar.update({ done: ended, total: Math.max(expected, started + 1) })
}

const expectedRows = 4
const expectedProbes = 5

function omitChart({ chart: _chart, ...rest }: PlanResult): PlanResult {
  return rest
}

function questionOf(
  { gathered, lines, seeds }: Simulation,
  loaded: LoadedLeads,
  atOnce: number,
): ConstructorParameters<typeof PlanMaker>[0] {
  const { settings, zones, deployment, deadline, limit } = gathered
  return { settings, loaded, zones, lines, deadline, limit, seeds, atOnce, currentLines: deployment?.campaign?.lines }
}

function resultOf(
  { gathered, leads, seeds }: Simulation,
  loaded: LoadedLeads,
  plan: PlanMaker,
  isComplete: boolean,
): PlanResult {
  const { deadline, settings, deployment, calibration, assumptions } = gathered
  const unreadable = leads.rows?.unreadable ?? []
  const { lines, table, relief, arithmetic_lines, chart } = plan.outcome
  return {
    lines,
    deadline: deadline === null ? null : new Date(deadline).toISOString(),
    table,
    leads: { total: leads.leads.length + unreadable.length, callable: loaded.callable },
    unreachable: unreachableOf(leads, loaded),
    current_lines: deployment?.campaign?.lines ?? null,
    relief,
    arithmetic_lines,
    assumptions: { ...assumptions, ...describeMix(settings.mix), seeds: [...seeds] },
    calibration,
    ...(chart && { chart }),
    complete: isComplete,
  }
}

function unreachableOf({ leads, rows }: PlanLeads, { unreachable }: LoadedLeads): UnreachableLead[] {
  const refused = unreachable.map(({ at, reason }) => ({
    line: rows?.lines[at] ?? at + 1,
    phone: leads[at]?.phone ?? '',
    reason,
  }))
  const unreadable = (rows?.unreadable ?? []).map(({ line }) => ({
    line,
    phone: '',
    reason: 'unreadable_row' as const,
  }))
  return [...refused, ...unreadable].sort((a, b) => a.line - b.line)
}
