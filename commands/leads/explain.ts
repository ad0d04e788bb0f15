import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { checkTokenAddress, controlAddress } from '../../src/cli/simulator/control-address.js'
import { controlFlags } from '../../src/cli/simulator/simulator-command.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { checkWhatIf, type WhatIf } from '../../src/cli/explain/what-if.js'
import { leadNeed } from '../../src/cli/input/questions/choices.js'
import type { Client, Contract } from '../../src/client/client.js'
import type { Explanation } from '../../src/contract/control/explain.js'
import { renderExplanation } from '../../src/cli/explain/render.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class LeadsExplain extends SvcCommand<typeof LeadsExplain> {
  static override summary = 'Show why a lead is not called now, and when it will be'
  static override description =
    'Shows what each dialing rule says about the lead, and which one decides. A simulator knows every rule. Another service shows ' +
    'less: the command then says what is not known. Times are in the time zone of the lead. Changes nothing.'
  static override examples = [
    '<%= config.bin %> leads explain +12125557812',
    '<%= config.bin %> leads explain +12125557812 --at 2030-01-07T15:00:00Z',
    '<%= config.bin %> leads explain crm-42 --campaign-hours "mon-fri 09:00-18:00; sat 10:00-14:00"',
    '<%= config.bin %> leads explain +12125557812 --json',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
  }
  static override flags = {
    at: Flags.string({ summary: 'Another moment to ask about, not in the past', helpValue: '<date-time>' }),
    'campaign-hours': Flags.string({
      summary: 'Calling hours to assume instead of those of the campaign',
      helpValue: '<hours>',
      multiple: true,
    }),
    ...controlFlags,
    campaign: Flags.string({
      summary: 'Campaign of the lead, if several campaigns use the external id or phone',
      helpValue: '<name or id>',
    }),
  }

  protected async perform({ args, flags }: Parsed<typeof LeadsExplain>): Promise<void> {
    const whatIf = { at: flags.at, campaignHours: flags['campaign-hours']?.join('; ') }
    checkWhatIf(whatIf)
    // JSON has the whole explanation, not only its rules.
    if (!this.printer('table').style.format.endsWith('json')) this.expectColumns(controlColumns.explainedRule)
    const client = await this.client()
    const campaign = await this.campaignId(client, flags.campaign)
    const [lead = ''] = await this.promptForMissing(leadNeed(client, args.lead))
    const id = await (await this.lookup(client)).lead(lead, campaign)
    const data = await this.#explain(client, id, whatIf, flags['control-token'])
    const printer = this.printer('table')
    const { format, columns, terminal } = printer.style
    if (format === 'json' || format === 'ndjson') return printer.record({ data }, controlColumns.explainedRule)
    if (format !== 'table' || columns)
      return this.printList(onePage({ data: data.rules }), controlColumns.explainedRule)
    const style = {
      width: terminal ? printer.style.width : Number.POSITIVE_INFINITY,
      at: flags.at === undefined ? undefined : Date.parse(data.at),
      assumedHours: whatIf.campaignHours,
    }
    await printer.drawn((paint) => renderExplanation(data, style, paint))
  }

  /** Reading the lead first shows that the key may see it. */
  async #explain(
    client: Client<Contract>,
    id: string,
    whatIf: WhatIf,
    token: string | undefined,
  ): Promise<Explanation> {
    const { body, headers } = await client.call('getLead', { params: { id } })
    const { key: _key, ...options } = this.transportOptions()
    const { explainAtSimulator } = await import('../../src/cli/explain/simulator.js')
    const address = controlAddress(this.settings, this.around.env)
    const checkAddress = () => checkTokenAddress(address, this.settings.profile)
    const given = token === undefined ? undefined : { value: token, checkAddress }
    const found = await explainAtSimulator({ ...options, baseUrl: address.value }, id, whatIf, given)
    if (found !== undefined && found !== 'guarded') return found
    const { explainFromApi } = await import('../../src/cli/explain/deployment.js')
    if (found === undefined) return explainFromApi({ client, lead: body.data, now: serviceTime(headers), ...whatIf })
    const { clockOfUsage } = await import('../../src/cli/explain/clock-of-usage.js')
    const counted = await clockOfUsage(client, body.data)
    const moment =
      counted === undefined
        ? 'at the time of this machine'
        : 'at the time of its usage figures, which is at most 5 minutes old'
    this.note(
      `This simulator asks for its control token, so this is what its API shows, ${moment}. Give --control-token to see every rule.\n`,
    )
    return explainFromApi({ client, lead: body.data, now: counted ?? serviceTime(headers), ...whatIf })
  }
}

/** The clock of the service, as its replies show it. */
function serviceTime(headers: Readonly<Record<string, string>>): number {
  const shown = Date.parse(headers['date'] ?? '')
  return Number.isNaN(shown) ? Date.now() : shown
}
