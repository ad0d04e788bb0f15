import * as Flags from '@oclif/core/flags'
import { campaignNeed, calledPhoneNeed } from '../../src/cli/input/questions/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { consentFlags, consentOf, type ConsentFlags } from '../../src/cli/input/consent.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { leadFlags, leadOf } from '../../src/cli/input/lead-flags.js'
import { ApiError } from '../../src/client/errors.js'
import type { Client, Contract } from '../../src/client/client.js'
import { nameCampaign, readCampaign } from '../../src/cli/lookup/campaign-facts.js'
import { callAgain } from '../../src/cli/results/way-back.js'
import type { Campaign } from '../../src/contract/campaigns.js'
import type { LeadAccepted } from '../../src/contract/new-leads.js'
import { resourceColumns } from '../../src/output/columns/resources.js'

export default class LeadsAdd extends SvcCommand<typeof LeadsAdd> {
  static override summary = 'Add a lead to a campaign'
  static override description =
    'The lead is dialed now, queued, scheduled for the next calling hours, or held; the answer says which. With --dry-run, runs ' +
    'every check and saves nothing.'
  static override examples = [
    '<%= config.bin %> leads add --campaign "Web leads" --phone +15550100001 --name "Test Lead"',
    '<%= config.bin %> leads add --campaign "Web leads" --phone "(212) 555-7812" --external-id crm-42 --field city=Albany --call-now',
    '<%= config.bin %> leads add --campaign "Web leads" --phone 2125557812 --consent-source web_form --consent-at 2026-10-01T09:30:00Z --consent-url https://example.com/form --dry-run',
  ]
  static override flags = {
    campaign: Flags.string({ summary: 'Campaign to add the lead to (required)', helpValue: '<name or id>' }),
    phone: Flags.string({
      summary: 'US or Canadian phone number, in any common form (required)',
      helpValue: '<phone>',
    }),
    ...leadFlags,
    ...consentFlags,
    'dry-run': Flags.boolean({ summary: 'Run every check and save nothing' }),
    ...yesFlag,
    ...writeFlags,
  }

  /** The next step after the campaign has the lead already, if it is out of the queue. */
  #wayBack: string | undefined

  protected async perform({ flags }: Parsed<typeof LeadsAdd>): Promise<void> {
    this.expectColumns(resourceColumns.acceptedLead)
    const client = await this.client({ affectsPeople: true })
    const [campaign = '', phone = '', name = ''] = await this.promptForMissing(
      campaignNeed(client, flags.campaign, (text) => this.campaignId(client, text)),
      calledPhoneNeed(flags.phone, '--phone'),
      { flag: '--name', label: 'Name', value: flags.name, isOptional: true },
    )
    const campaign_id = await (await this.lookup(client)).campaign(campaign)
    const isReviewed = this.isInteractive && !flags.yes
    const found = isReviewed ? await readCampaign(client, campaign_id) : undefined
    const consent = await this.#consent(flags, isReviewed, found)
    if (isReviewed) await this.#review(client, { phone, name, isDryRun: flags['dry-run'] }, campaign_id, found)
    const body = {
      campaign_id,
      phone,
      ...leadOf(flags),
      name: flags.name ?? (name === '' ? undefined : name),
      consent,
      dry_run: flags['dry-run'] || undefined,
    }
    const reply = await client
      .call('createLead', { body }, { idempotencyKey: flags['idempotency-key'] })
      .catch((error: unknown) => this.#explainDuplicate(client, error))
    await this.printer().record(reply.body, resourceColumns.acceptedLead)
    await this.#say(reply.body.data, name || phone, () => nameCampaign(client, campaign_id))
  }

  /** A person is asked for the parts of a consent that the campaign requires and no flag gives. */
  async #consent(flags: ConsentFlags, isReviewed: boolean, campaign: Campaign | undefined) {
    const given = consentOf(flags)
    if (!isReviewed) return given
    const { completeConsent } = await import('../../src/cli/input/questions/lead-consent.js')
    const now = async () => (await this.simulatorClock()) ?? Date.now()
    return completeConsent(this, given, { isRequired: campaign?.consent_required ?? false, now })
  }

  /** Says who has the number already, and asks if the person may be called twice. Asks with a live key always. */
  async #review(
    client: Client<Contract>,
    { phone, name, isDryRun }: { phone: string; name: string; isDryRun: boolean },
    campaign_id: string,
    campaign: Campaign | undefined,
  ): Promise<void> {
    const { findKnownNumber } = await import('../../src/cli/lookup/known-number.js')
    const known = await findKnownNumber(client, phone, campaign, this.referenceTime())
    if (isDryRun || (!this.isLive && !known?.isCalledTwice)) {
      if (known) this.note(`${known.sentence}\n`)
      return
    }
    const who = [name, phone].filter(Boolean).join(', ')
    const where = `${await nameCampaign(client, campaign_id)} at ${this.host}`
    const atOnce = this.isLive ? ' They may be called at once.' : ''
    const before = known ? `${known.sentence} ` : ''
    await this.confirm(false, `${before}Add 1 person (${who}) to the campaign ${where}?${atOnce}`)
  }

  protected override get nextSteps(): Readonly<Record<string, string>> {
    return this.#wayBack === undefined ? {} : { duplicate_lead: this.#wayBack }
  }

  /** Tells a person how a lead is called that the campaign has and that is out of its queue. */
  async #explainDuplicate(client: Client<Contract>, error: unknown): Promise<never> {
    const id = error instanceof ApiError && error.refusal.code === 'duplicate_lead' ? error.refusal.lead_id : undefined
    if (id && this.isInteractive) {
      const lead = (await client.call('getLead', { params: { id } }).catch(() => undefined))?.body.data
      if (lead?.status === 'out_of_queue')
        this.#wayBack = `${lead.name ?? 'The lead'} is out of the queue. To call the lead again: ${callAgain(id)}`
    }
    throw error
  }

  async #say(lead: LeadAccepted, person: string, campaign: () => Promise<string>): Promise<void> {
    const { describeAdded } = await import('../../src/cli/results/leads.js')
    if (this.isForPerson) return this.note(`${describeAdded(lead, person, await campaign())}\n`)
    if (lead.requeued) this.note('The lead was there already; it is back in the queue.\n')
  }
}
