import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { durationMs } from '../../src/cli/base/flags.js'
import { describeChange, LeadWatch } from '../../src/cli/events/lead-watch.js'
import { canRedraw } from '../../src/output/style.js'
import { fullTime, zoneNote } from '../../src/output/time.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { leadNeed } from '../../src/cli/input/questions/choices.js'

export default class LeadsWatch extends SvcCommand<typeof LeadsWatch> {
  static override summary = 'Follow a lead until it is done'
  static override description =
    'Shows each change of the lead and ends when the lead is done or out of the queue. With --json, prints the final lead once; ' +
    'with --output ndjson, prints it at every change. With --timeout, gives up after that time and exits 9.'
  static override examples = [
    '<%= config.bin %> leads watch +12125557812',
    '<%= config.bin %> leads watch +12125557812 --timeout 10m --json',
    '<%= config.bin %> leads watch +12125557812 --output ndjson --interval 5s',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
  }
  static override flags = {
    timeout: Flags.string({ summary: 'Time to give up after', helpValue: '<10m>' }),
    interval: Flags.string({ summary: 'Polling interval', helpValue: '<1s>', default: '1s' }),
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsWatch>): Promise<void> {
    const timeoutMs = flags.timeout === undefined ? undefined : durationMs(flags.timeout, '--timeout')
    const intervalMs = durationMs(flags.interval, '--interval')
    const client = await this.client()
    const [lead = ''] = await this.promptForMissing(leadNeed(client, args.lead))
    const id = await (await this.lookup(client)).lead(lead)
    const { stderr, env } = this.around
    const printer = this.printer()
    const time = (iso: string) => fullTime(iso, printer.style)
    const watch = new LeadWatch({
      read: async () => (await client.call('getLead', { params: { id } })).body,
      machine: systemClock,
      intervalMs,
      timeoutMs,
      time,
      live: canRedraw(stderr, env)
        ? { write: (text) => this.draw(text), width: () => stderr.columns || 100 }
        : undefined,
    })
    if (this.isForPerson) {
      if (!printer.style.utc) this.note(`${zoneNote()}\n`)
      for await (const [changed] of watch.changes()) await printer.text(describeChange(changed, time))
      return
    }
    if (printer.style.format !== 'json') return printer.stream(watch.changes(), resourceColumns.watchedLead)
    for await (const _change of watch.changes()) continue
    await printer.json(watch.reply)
  }
}
