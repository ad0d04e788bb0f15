import * as Flags from '@oclif/core/flags'
import { openCampaignChoices } from '../../src/cli/input/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { consentFlags, consentOf } from '../../src/cli/input/consent.js'
import { pairFlag, repeated, writeFlags } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'

export default class LeadsAdd extends SvcCommand<typeof LeadsAdd> {
  static override summary = 'add a lead to a campaign'
  static override description =
    'Adds one lead. It is dialed at once, waits in line, is scheduled for the next calling hours, or is held; the answer says which. ' +
    'With --dry-run every check runs and nothing is saved.'
  static override examples = [
    '<%= config.bin %> leads add --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --phone +15550100001 --name "Test Lead"',
    '<%= config.bin %> leads add --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --phone "(212) 555-7812" --external-id crm-42 --field city=Albany --call-now',
    '<%= config.bin %> leads add --campaign 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --phone 2125557812 --consent-source web_form --consent-at 2026-10-01T09:30:00Z --consent-url https://example.com/form --dry-run',
  ]
  static override flags = {
    campaign: Flags.string({ summary: 'the campaign that calls', helpValue: '<id>' }),
    phone: Flags.string({ summary: 'a US or Canadian number in any common form', helpValue: '<phone>' }),
    name: Flags.string({ summary: 'name of the lead' }),
    email: Flags.string({ summary: 'e-mail address' }),
    address: Flags.string({ summary: 'postal address' }),
    'external-id': Flags.string({ summary: 'your own id', helpValue: '<id>' }),
    field: Flags.string({
      summary: 'a custom field; may be repeated',
      helpValue: '<k=v>',
      ...repeated,
    }),
    ...consentFlags,
    'call-now': Flags.boolean({ summary: 'before other leads', allowNo: true }),
    'dry-run': Flags.boolean({ summary: 'run every check, save nothing' }),
    ...writeFlags,
  }

  protected async perform({ flags }: Parsed<typeof LeadsAdd>): Promise<void> {
    this.expectColumns(resourceColumns.acceptedLead)
    const client = await this.client()
    const [campaign_id = '', phone = ''] = await this.promptForMissing(
      { flag: '--campaign', label: 'Campaign', value: flags.campaign, choices: () => openCampaignChoices(client) },
      { flag: '--phone', label: 'Phone', value: flags.phone },
    )
    const body = {
      campaign_id,
      phone,
      name: flags.name,
      email: flags.email,
      address: flags.address,
      external_id: flags['external-id'],
      fields: flags.field && pairFlag(flags.field, '--field'),
      consent: consentOf(flags),
      call_now: flags['call-now'],
      dry_run: flags['dry-run'] || undefined,
    }
    const reply = await client.call('createLead', { body }, { idempotencyKey: flags['idempotency-key'] })
    await this.printer().record(reply.body, resourceColumns.acceptedLead)
    if (reply.body.data.requeued) this.note('The lead was there already; it is back in the queue.\n')
  }
}
