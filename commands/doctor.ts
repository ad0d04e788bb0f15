import { SvcCommand } from '../src/cli/base/command.js'
import { runDoctorChecks } from '../src/cli/simulator/doctor-checks.js'
import { onePage } from '../src/cli/base/pages.js'
import { systemClock } from '../src/client/system-clock.js'
import { wrapHanging } from '../src/output/wrap.js'
import { stripControlsFromLine } from '../src/output/sanitize.js'
import { resultColumns } from '../src/output/columns/results.js'

const marks = { ok: 'ok      ', warning: 'warning ', problem: 'PROBLEM ' }

export default class Doctor extends SvcCommand<typeof Doctor> {
  static override summary = 'Diagnose connection and key problems'
  static override description =
    'Checks the address, the clock difference, the key and its permissions. Changes nothing. Exits 0 if there is no problem, else ' +
    'with the exit code of the problem.'
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --profile work --json']

  protected async perform(): Promise<void> {
    const { settings } = this
    const [{ createClient }, { probe: knock }] = await Promise.all([
      import('../src/client/client.js'),
      import('../src/client/probe.js'),
    ])
    const subject = {
      settings,
      machine: systemClock,
      client: createClient(this.transportOptions()),
      knock: () => knock(settings.baseUrl.value, this.answerWithinMs),
    }
    const printer = this.printer()
    const findings: object[] = []
    for await (const { exitCode, ...found } of runDoctorChecks(subject)) {
      const finding = this.masked(found)
      findings.push(finding)
      if (exitCode !== 0) this.exitWith(exitCode)
      if (printer.style.format !== 'table') continue
      const { check, result, detail, advice } = finding
      const { terminal } = printer.style
      const width = terminal ? printer.style.width : Infinity
      const lines = [
        `${marks[result]} ${check.padEnd(15)} ${stripControlsFromLine(detail)}`,
        ...(advice === null ? [] : [`${' '.repeat(25)}${this.carry(advice)}`]),
      ]
      await printer.text(lines.map((line) => wrapHanging(line, width, 25)).join('\n'))
    }
    if (printer.style.format !== 'table') await printer.list(onePage({ data: findings }), resultColumns.finding)
  }
}
