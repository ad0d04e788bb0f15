import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { ApiError } from '../../src/client/errors.js'
import type { Client, Contract } from '../../src/client/client.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { exitCodes } from '../../src/cli/errors/exit-codes.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { findEntriesWith, offerEntries, partOfNumber, searchCommand } from '../../src/cli/lookup/dnc-facts.js'
import { dncSentences } from '../../src/cli/results/dnc-sentences.js'
import { phoneNeed } from '../../src/cli/input/questions/choices.js'

export default class DncCheck extends SvcCommand<typeof DncCheck> {
  static override summary = 'Check whether a number is on the Do Not Call list'
  static override description =
    'Exits 0 for any answer. With --exit-status, exits 5 for a listed number and 1 for a number that could not be read.'
  static override examples = [
    '<%= config.bin %> dnc check "(212) 555-7812"',
    '<%= config.bin %> dnc check +12125557812 --exit-status && echo may be called',
  ]
  static override args = {
    phone: Args.string({ description: 'Phone number, in any common form (required)', ignoreStdin: true }),
  }
  static override flags = {
    'exit-status': Flags.boolean({ summary: 'Exit 5 if the number is listed, 1 if it cannot be read' }),
  }

  protected async perform({ args, flags }: Parsed<typeof DncCheck>): Promise<void> {
    const client = await this.client()
    const [phone = ''] = await this.promptForMissing(phoneNeed(args.phone, '<phone>'))
    const { body } = await client.call('checkDnc', { query: { phone: await this.#wholeNumber(client, phone) } })
    await this.printer().record(body, resourceColumns.dncCheck)
    const { onDncList, normalizedPhone } = body.data
    if (normalizedPhone !== null) this.say(dncSentences(this.settings.mode).checked(normalizedPhone, onDncList))
    else
      this.note(`The number could not be read: that it is not listed does not mean it may be called.${hintOf(phone)}\n`)
    if (onDncList && normalizedPhone !== null && this.isInteractive) await this.#sayHow(client, normalizedPhone)
    if (flags['exit-status'] && onDncList) this.exitWith(exitCodes.refused)
    else if (flags['exit-status'] && normalizedPhone === null) this.exitWith(exitCodes.failed)
  }

  /** A person picks a listed number that contains the typed part of one. The text itself if none is picked. */
  async #wholeNumber(client: Client<Contract>, text: string): Promise<string> {
    const digits = this.isInteractive ? partOfNumber(text) : undefined
    if (digits === undefined) return text
    const { parsePhone } = await import('../../src/phone/number.js')
    if (parsePhone(text).kind !== 'invalid') return text
    const { entries, sentence } = await findEntriesWith(client, digits)
    if (entries.length === 0) {
      this.note(`No number on the list contains ${digits}.\n`)
      return text
    }
    const choices = [...offerEntries(entries), { name: 'none of these', value: none }]
    const picked = await this.pick(sentence, choices)
    const entry = entries.find(({ id }) => id === picked)
    if (entry) this.answers.replace(text, entry.phone)
    return entry?.phone ?? text
  }

  /** Says when and how the number came onto the list. It stands there, whether its entry can be read or not. */
  async #sayHow(client: Client<Contract>, phone: string): Promise<void> {
    const { describeListing, findDncEntry } = await import('../../src/cli/lookup/dnc-facts.js')
    const entry = await findDncEntry(client, { phone }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
    })
    if (entry) this.say(describeListing(entry, this.referenceTime()))
  }
}

const none = 'none'

/** Where the listed numbers are that contain the text, if it may be a part of one. */
function hintOf(text: string): string {
  const digits = partOfNumber(text)
  return digits === undefined ? '' : ` ${searchCommand(digits)} shows the listed numbers that contain it.`
}
