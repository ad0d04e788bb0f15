import { SvcCommand } from '../src/cli/base/command.js'
import { exitCodes, ExitError } from '../src/cli/errors/exit-codes.js'
import { playDemo, type DemoStep } from '../src/cli/simulator/demo.js'

export default class Demo extends SvcCommand<typeof Demo> {
  static override summary = 'Run an end-to-end demo in seconds'
  static override description =
    'Starts a temporary simulator and a webhook receiver on this machine, adds a lead, advances the clock by four minutes, and ' +
    'verifies every webhook. Shows each step as it happens and leaves nothing behind. Exits 0 only if every step succeeds.'
  static override examples = ['<%= config.bin %> demo', '<%= config.bin %> demo --json']

  protected async perform(): Promise<void> {
    const [{ startSimulator }, { verify }] = await Promise.all([
      import('../simulator/index.js'),
      import('../src/webhooks/sign.js'),
    ])
    const printer = this.printer('table')
    const { format } = printer.style
    const told = format === 'json' || format === 'ndjson'
    const steps: DemoStep[] = []
    const held = await playDemo(startSimulator, {
      verify,
      say: (line) => (told ? Promise.resolve() : printer.painted(`${line}\n`)),
      step: (step) => steps.push(step),
      color: printer.style.color,
      now: () => Date.now(),
    })
    if (told) await printer.json({ data: { held, steps } })
    if (held) return
    this.note('Not every step held.\n')
    throw new ExitError(exitCodes.failed)
  }
}
