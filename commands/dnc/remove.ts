import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import type { Client, Contract } from '../../src/client/client.js'
import { systemClock } from '../../src/client/system-clock.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { accountOf, importFolder } from '../../src/cli/import/journal.js'
import { amount } from '../../src/cli/import/result-sentence.js'
import { dncSentences } from '../../src/cli/results/dnc-sentences.js'
import { dncNeed } from '../../src/cli/input/questions/dnc-need.js'
import { findLeadsOfNumbers } from '../../src/cli/lookup/leads-of-numbers.js'
import { describeWayBack } from '../../src/cli/results/way-back.js'
import { importNeed } from '../../src/cli/import/import-need.js'
import { UndoRecord } from '../../src/cli/import/undo-record.js'
import { pageSizeMax } from '../../src/contract/limits.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { writeFlags, yesFlag } from '../../src/cli/base/flags.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { resultColumns } from '../../src/output/columns/results.js'

export default class DncRemove extends SvcCommand<typeof DncRemove> {
  static override summary = 'Remove a number from the Do Not Call list'
  static override description =
    'The number can be called again. Leads that left the queue stay out until svc calls start calls them. --from-import undoes an import: it removes the numbers that the import added, and leaves ' +
    'those that were listed before.'
  static override examples = [
    '<%= config.bin %> dnc remove 9a4e1d70-2b5c-4f8e-a3d6-7c0b1e2f3a44 --yes',
    '<%= config.bin %> dnc remove "(212) 555-7812"',
    '<%= config.bin %> dnc remove --from-import 0f3a9c6b2d51487e8a904b7c1d2e6f35 --yes',
  ]
  static override args = {
    phone: Args.string({ description: 'Phone number, or id of the entry (required)', ignoreStdin: true }),
  }
  static override flags = {
    'from-import': Flags.string({
      summary:
        'Remove the numbers that an import added; svc dnc list --imports shows them. Without a name, asks at a terminal',
      helpValue: '<import>',
    }),
    ...yesFlag,
    ...writeFlags,
  }

  /** True for --from-import without the name of an import. */
  #asksForImport = false

  /** The command framework has no flags whose value may be left out, so such a flag is taken away before it parses. */
  override async run(): Promise<void> {
    const at = this.argv.indexOf('--from-import')
    const next = this.argv[at + 1]
    this.#asksForImport = at >= 0 && (next === undefined || next.startsWith('-'))
    if (this.#asksForImport) this.argv.splice(at, 1)
    await super.run()
  }

  protected async perform({ args, flags }: Parsed<typeof DncRemove>): Promise<void> {
    const { 'from-import': name } = flags
    if ((name !== undefined || this.#asksForImport) && args.phone !== undefined)
      throw new UsageError('Name a number or --from-import, not both.')
    if (name !== undefined || this.#asksForImport) return this.#undoImport(name, flags.yes)
    this.expectColumns(resourceColumns.dncEntry)
    const client = await this.client({ affectsPeople: true })
    const [entry = ''] = await this.promptForMissing(dncNeed(client, args.phone))
    const isAsked = !flags.yes && this.isInteractive
    // A script without --yes is refused before any request.
    const { removed, askToRemove } = dncSentences(this.settings.mode)
    if (!isAsked) await this.confirm(flags.yes, askToRemove(entry, true))
    const found = await (await this.lookup(client)).dncEntry(entry)
    const { id } = found
    if (isAsked) {
      const { describeDncEntry, findDncEntry } = await import('../../src/cli/lookup/dnc-facts.js')
      const listed = found.entry ?? (await findDncEntry(client, found))
      const why = listed ? `${await describeDncEntry(client, listed, this.referenceTime())} ` : ''
      await this.confirm(false, `${why}${askToRemove(listed?.phone ?? entry, true)}`)
    }
    const { body } = await client.call('removeDnc', { params: { id } }, { idempotencyKey: flags['idempotency-key'] })
    await this.printer().record(body, resourceColumns.dncEntry)
    this.say(removed(body.data.phone))
    await this.#sayWayBack(client, new Set([body.data.phone]))
  }

  /** The leads of the numbers left their queues when the numbers were listed, and removing a number does not put them back. */
  async #sayWayBack(client: Client<Contract>, phones: ReadonlySet<string>): Promise<void> {
    if (!this.isForPerson || phones.size === 0) return
    const found = await findLeadsOfNumbers(client, phones, { status: 'out_of_queue' })
    for (const line of await describeWayBack(client, found, phones)) this.say(line)
  }

  async #undoImport(given: string | undefined, yes: boolean): Promise<void> {
    this.expectColumns(resultColumns.dncUndo)
    const client = await this.client({ affectsPeople: true })
    const folder = importFolder(this.around.dataFolder, systemClock.now())
    const account = accountOf(this.settings)
    const [name = ''] = await this.promptForMissing(importNeed(folder, account, given))
    const record = new UndoRecord(folder, name, account)
    const numbers = record.read()
    const all = amount(numbers.size, 'numbers')
    const file = record.describe()[0]?.file
    const of = file === undefined || file === '-' ? 'the import' : `the import of ${file}`
    await this.confirm(yes, dncSentences(this.settings.mode).askToRemove(`${all} of ${of}`, false))
    // Reads the whole list before it removes anything, because removals shift the pages. Entries from another source are
    // newer wishes of the people, such as an opt-out in a call.
    const ids: string[] = []
    const phones = new Set<string>()
    for await (const { body } of client.pages('listDnc', { query: { limit: pageSizeMax } }))
      for (const { id, phone, source } of body.data)
        if (numbers.has(phone) && (source === 'api' || source === 'bulk')) {
          ids.push(id)
          phones.add(phone)
        }
    for (const id of ids) await client.call('removeDnc', { params: { id } })
    record.delete()
    const data = { removed: ids.length, kept: numbers.size - ids.length }
    await this.printer().record({ data }, resultColumns.dncUndo)
    if (data.kept > 0)
      this.note(`${amount(data.kept, 'numbers')} had left the list, or came back to it in another way.\n`)
    await this.#sayWayBack(client, phones)
  }
}
