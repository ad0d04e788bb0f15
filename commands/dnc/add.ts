import * as Args from '@oclif/core/args'
import { ApiError } from '../../src/client/errors.js'
import type { Client, Contract } from '../../src/client/client.js'
import type { Lead } from '../../src/contract/leads.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { dncSentences } from '../../src/cli/results/dnc-sentences.js'
import { phoneNeed } from '../../src/cli/input/questions/choices.js'

const ifSeveral = 'For many numbers: save them in a text file, one on each line, then svc dnc import <file>.'

export default class DncAdd extends SvcCommand<typeof DncAdd> {
  static override summary = 'Add a number to the Do Not Call list'
  static override description =
    'No campaign of the organization calls the number again. Its leads leave their queues. At a terminal, asks before it blocks a ' +
    'lead, and with a live key always.'
  static override examples = [
    '<%= config.bin %> dnc add "(212) 555-7812"',
    '<%= config.bin %> dnc add +12125557812 --json',
  ]
  static override args = {
    phone: Args.string({ description: 'Phone number, in any common form (required)', ignoreStdin: true }),
  }
  static override flags = { ...yesFlag, ...writeFlags }

  protected async perform({ args, flags }: Parsed<typeof DncAdd>): Promise<void> {
    this.expectColumns(resourceColumns.dncEntry)
    const client = await this.client({ affectsPeople: true })
    const [phone = ''] = await this.promptForMissing(phoneNeed(args.phone, '<phone>', { ifSeveral }))
    const leads = !flags.yes && this.isInteractive ? await this.#confirmPerson(client, phone) : []
    const { body } = await client.call('addDnc', { body: { phone } }, { idempotencyKey: flags['idempotency-key'] })
    await this.printer().record(body, resourceColumns.dncEntry)
    const { phone: listed } = body.data
    const { describeLeftQueue } = await import('../../src/cli/results/left-queue.js')
    for (const line of describeLeftQueue(leads)) this.say(line)
    this.say(`${dncSentences(this.settings.mode).added(listed)} To take it off again:`)
    this.say(`  svc dnc remove ${listed}`)
  }

  /**
   * Asks before a lead is blocked, and with a live key always. Returns the leads that leave their queue. The service refuses what
   * is not a number, or is listed.
   */
  async #confirmPerson(client: Client<Contract>, text: string): Promise<Lead[]> {
    const { parsePhone } = await import('../../src/phone/number.js')
    const number = parsePhone(text)
    if (number.kind === 'invalid' || (await isListed(client, number.e164))) return []
    const [{ describeNoLead, describeRest }, { searchLeads }, { canLeaveQueue }] = await Promise.all([
      import('../../src/cli/lookup/leads-of-numbers.js'),
      import('../../src/cli/lookup/long-search.js'),
      import('../../src/cli/results/left-queue.js'),
    ])
    const phones = new Set([number.e164])
    const found = await searchLeads(this, client, { phones, canSkip: true })
    const { leads, read, isComplete, isSkipped } = found
    const waiting = leads.filter(canLeaveQueue)
    // With a test key, asks only if a lead has the number, or an older one may have it.
    if (leads.length === 0 && (isComplete || (read === 0 && !isSkipped)) && !this.isLive) return waiting
    const [lead] = leads
    const rest = describeRest(found)
    const who = lead
      ? [await this.#describe(client, lead, leads.length - 1), ...rest].join(' ')
      : isSkipped && read === 0
        ? 'No leads were compared.'
        : describeNoLead(found, phones)
    await this.confirm(false, `${who} ${dncSentences(this.settings.mode).askToAdd(number.e164)}`)
    return waiting
  }

  async #describe(client: Client<Contract>, lead: Lead, others: number): Promise<string> {
    const [{ nameCampaign }, { describeCallTime }] = await Promise.all([
      import('../../src/cli/lookup/campaign-facts.js'),
      import('../../src/cli/lookup/lead-facts.js'),
    ])
    const [last] = lead.calls
    const called = last === undefined ? 'not called yet' : describeCallTime(last, this.referenceTime())
    const more = others === 0 ? '' : `, and of ${others} more ${others === 1 ? 'lead' : 'leads'}`
    const campaign = JSON.stringify(await nameCampaign(client, lead.campaign_id))
    return `This is the number of ${lead.name ?? 'a lead without a name'}, a lead of ${campaign} (${called})${more}.`
  }
}

/** False if the list cannot be read: then the service refuses a listed number after the question. */
async function isListed(client: Client<Contract>, phone: string): Promise<boolean> {
  try {
    return (await client.call('checkDnc', { query: { phone } })).body.data.onDncList
  } catch (error) {
    if (error instanceof ApiError) return false
    throw error
  }
}
