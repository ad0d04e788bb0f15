import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import type { CallStarted } from '../../src/contract/calls.js'
import { countOf } from '../../src/cli/results/words.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import {
  describeFoundLead,
  describeRecentCall,
  findLead,
  nameLead,
  type ExternalId,
} from '../../src/cli/lookup/lead-facts.js'
import { leadNeed } from '../../src/cli/input/questions/choices.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { withCampaignName } from '../../src/cli/lookup/campaign-facts.js'
import { describeStanding } from '../../src/cli/results/leads.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class CallsStart extends SvcCommand<typeof CallsStart> {
  static override summary = 'Call a lead next'
  static override description =
    "Puts an existing lead at the front of its campaign's queue. The call starts as soon as a line is free and the dialing rules " +
    'allow it; the answer says when. At a terminal, asks before a lead that was called within the last 24 hours is called again, ' +
    'and with a live key always.'
  static override examples = [
    '<%= config.bin %> calls start --lead +12125557812',
    '<%= config.bin %> calls start --external-id crm-42 --campaign "Web leads"',
  ]
  static override flags = {
    lead: Flags.string({
      summary: 'Lead to call: its id, phone or external id (required unless --external-id is given)',
      helpValue: '<lead>',
    }),
    'external-id': Flags.string({ summary: 'External id of the lead, instead of --lead', helpValue: '<id>' }),
    campaign: Flags.string({
      summary: 'Campaign of the lead, if several campaigns use the external id',
      helpValue: '<name or id>',
    }),
    ...yesFlag,
    ...writeFlags,
  }

  protected async perform({ flags }: Parsed<typeof CallsStart>): Promise<void> {
    this.expectColumns(resourceColumns.acceptedCall)
    const external_id = flags['external-id']
    if (flags.lead !== undefined && external_id !== undefined)
      throw new UsageError('Name the lead by --lead or by --external-id, not by both.')
    const client = await this.client({ affectsPeople: true })
    const campaign_id = await this.campaignId(client, flags.campaign)
    const hint = 'Name the lead by its id or phone, or by your own id with --external-id.'
    const [lead] =
      external_id === undefined ? await this.promptForMissing(leadNeed(client, flags.lead, '--lead', hint)) : []
    const lead_id = lead === undefined ? undefined : await (await this.lookup(client)).lead(lead, campaign_id)
    if (!flags.yes && this.isInteractive) await this.#confirmCall(client, lead_id, { external_id, campaign_id })
    const body = { lead_id, external_id, campaign_id }
    const reply = await client.call('startCall', { body }, { idempotencyKey: flags['idempotency-key'] })
    const data = await withCampaignName(this, client, reply.body.data)
    await this.printer().record({ ...reply.body, data }, resourceColumns.acceptedCall)
    if (this.isForPerson) this.say(await this.#describe(client, data))
  }

  /** Asks before a person is called again soon, and with a live key always. */
  async #confirmCall(client: Client<Contract>, id: string | undefined, query: ExternalId): Promise<void> {
    const lead = await findLead(client, id, query)
    const recent = lead && describeRecentCall(lead, (await this.simulatorClock()) ?? Date.now())
    if (!this.isLive) {
      if (recent !== undefined) await this.confirm(false, `${recent} Call again?`)
      return
    }
    const person = (lead && (await describeFoundLead(client, lead))) ?? id ?? query.external_id ?? ''
    const question = `Call 1 person (${person}) at ${this.host} as soon as a line is free?`
    await this.confirm(false, recent === undefined ? question : `${recent} ${question}`)
  }

  async #describe(client: Client<Contract>, call: CallStarted): Promise<string> {
    const person = await nameLead(client, call.lead_id)
    const left = call.calls_left_today
    const again = `${left === 0 ? 'No more calls' : countOf(left, 'more call')} to this lead can be started today.`
    return `${person} ${describeStanding(call)}. ${again}\nSee what becomes of it: svc leads watch ${call.lead_id}`
  }
}
