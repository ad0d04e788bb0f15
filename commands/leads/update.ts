import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { consentFlags, consentOf } from '../../src/cli/input/consent.js'
import { pairFlag, repeated, writeFlags } from '../../src/cli/base/flags.js'
import { personFlags } from '../../src/cli/input/lead-flags.js'
import { nearestWord } from '../../src/cli/errors/suggest.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { withCampaignName } from '../../src/cli/lookup/campaign-facts.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { leadNeed } from '../../src/cli/input/questions/choices.js'

const clearable = ['name', 'email', 'address'] as const
const isClearable = (name: string): name is (typeof clearable)[number] =>
  (clearable as readonly string[]).includes(name)

export default class LeadsUpdate extends SvcCommand<typeof LeadsUpdate> {
  static override summary = 'Change a lead'
  static override description =
    'Keeps custom fields that are not given. --clear empties the name, email address or postal address, or removes a custom field. ' +
    'The phone number cannot change: add a new lead instead.'
  static override examples = [
    '<%= config.bin %> leads update +12125557812 --name "Ann Lee" --field city=Albany',
    '<%= config.bin %> leads update +12125557812 --clear email --clear city',
    '<%= config.bin %> leads update +12125557812 --no-call-now',
  ]
  static override args = {
    lead: Args.string({ description: 'Lead: its id, phone or external id (required)', ignoreStdin: true }),
  }
  static override flags = {
    ...personFlags,
    'external-id': Flags.string({
      summary: 'Id of the lead in your own system, if it has none yet',
      helpValue: '<id>',
    }),
    'no-call-now': Flags.boolean({ summary: 'Give up the place ahead of other leads' }),
    clear: Flags.string({
      summary: `Value to clear: ${clearable.join(', ')}, or a custom field (repeatable)`,
      helpValue: '<name>',
      ...repeated,
    }),
    ...consentFlags,
    ...writeFlags,
  }

  protected async perform({ args, flags: given }: Parsed<typeof LeadsUpdate>): Promise<void> {
    this.expectColumns(resourceColumns.lead)
    const { body: named } = changesOf(given)
    const isAsked = isEmpty(named) && this.isInteractive
    if (isEmpty(named) && !isAsked)
      throw new UsageError('Nothing to change was named.', 'svc leads update --help shows what can change.')
    const client = await this.client({ affectsPeople: true })
    const [lead = ''] = await this.promptForMissing(leadNeed(client, args.lead))
    const id = await (await this.lookup(client)).lead(lead)
    const { body, custom } = changesOf(isAsked ? { ...given, ...(await this.#askForChanges(client, id)) } : given)
    const options = { idempotencyKey: given['idempotency-key'] }
    const reply = await client.call('updateLead', { params: { id }, body }, options)
    const data = await withCampaignName(this, client, reply.body.data)
    await this.printer().record({ ...reply.body, data }, resourceColumns.lead)
    this.say(`The changes of ${reply.body.data.name ?? reply.body.data.phone} were saved.`)
    this.#nameFields(custom)
  }

  async #askForChanges(client: Client<Contract>, id: string) {
    const { body } = await client.call('getLead', { params: { id } })
    const { LeadQuestions, wordsOfChanges } = await import('../../src/cli/input/questions/lead-changes.js')
    const ask: typeof this.promptForMissing = (...needs) => this.promptForMissing(...needs)
    const changes = await new LeadQuestions(ask, body.data).changes()
    this.answers.add(wordsOfChanges(changes))
    return changes
  }

  /** Warns about a cleared custom field whose name resembles a standard field: probably a mistyped name. */
  #nameFields(custom: readonly string[]): void {
    for (const name of custom) {
      const near = nearestWord(name, clearable)
      if (near) this.note(`${name} was cleared as a custom field. For the ${near} of the lead: --clear ${near}.\n`)
    }
  }
}

type Changes = Pick<
  Parsed<typeof LeadsUpdate>['flags'],
  'name' | 'email' | 'address' | 'field' | 'external-id' | 'no-call-now' | 'clear' | keyof typeof consentFlags
>

/** The body to send, and the custom fields that it clears. */
function changesOf(flags: Changes) {
  const cleared = flags.clear ?? []
  const custom = cleared.filter((name) => !isClearable(name))
  const emptied = (name: string) => (cleared.includes(name) ? null : undefined)
  const set = pairFlag(flags.field ?? [], '--field')
  const both = cleared.find((name) => (isClearable(name) ? flags[name] !== undefined : Object.hasOwn(set, name)))
  if (both !== undefined) throw new UsageError(`${both} is set and cleared at once.`, 'Give the one or the other.')
  const fields = { ...set, ...Object.fromEntries(custom.map((name) => [name, ''])) }
  const body = {
    name: flags.name ?? emptied('name'),
    email: flags.email ?? emptied('email'),
    address: flags.address ?? emptied('address'),
    fields: Object.keys(fields).length > 0 ? fields : undefined,
    external_id: flags['external-id'],
    call_now: flags['no-call-now'] ? (false as const) : undefined,
    consent: consentOf(flags),
  }
  return { body, custom }
}

const isEmpty = (body: object): boolean => Object.values(body).every((value) => value === undefined)
