/** Says which leads an import to the Do Not Call list would block, because one of them may be a customer, and which it did. */
import type { Client, Contract } from '../../../client/client.js'
import type { Lead } from '../../../contract/leads.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { searchLeads, type SearchedLeads } from '../../lookup/long-search.js'
import { describeLeftQueue, canLeaveQueue } from '../../results/left-queue.js'
import { amount } from '../result-sentence.js'

const namedMost = 3

/** Numbers in memory, so that it does not grow with the file. More are counted without looking for repeated ones. */
const keptMax = 200_000

type Command = Parameters<typeof searchLeads>[0]

export class BlockedLeads {
  readonly #command: Command
  readonly #client: Client<Contract>
  readonly #canSkip: boolean
  /** Read once, also if the person corrects columns. */
  #found: SearchedLeads | undefined
  readonly #blocked: Lead[] = []

  /** `canSkip` is true if a question follows before anything is sent. */
  constructor(command: Command, client: Client<Contract>, canSkip: boolean) {
    this.#command = command
    this.#client = client
    this.#canSkip = canSkip
  }

  /** Sentences about the numbers that belong to leads; none if no lead has one of them. `numbers` are in the form of the list. */
  async describe(numbers: AsyncIterable<string>): Promise<string[]> {
    const every = { phones: { has: () => true }, canSkip: this.#canSkip }
    this.#found ??= await searchLeads(this.#command, this.#client, every)
    const { leads, read, isComplete, isSkipped } = this.#found
    if (isSkipped && read === 0) return ['No leads were compared.']
    const names = new Map(leads.map(({ phone, name }) => [phone, name ?? phone]))
    const { count, blocked } = await countBlocked(numbers, names)
    if (count === 0 || read === 0 || (blocked.length === 0 && isComplete)) return []
    const compared = `the latest ${amount(read, 'leads')}`
    const these = count === 1 ? 'this number' : `these ${amount(count, 'numbers')}`
    if (blocked.length === 0)
      return [
        `${count === 1 ? 'This number does not belong' : `None of ${these} belongs`} to ${compared}. Older leads were not compared.`,
      ]
    const first = blocked.slice(0, namedMost).map((number) => stripControlsFromLine(names.get(number) ?? number))
    const rest = blocked.length - first.length
    const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
    const some = count === 1 ? these : `${blocked.length.toLocaleString('en-US')} of ${these}`
    const belong = blocked.length === 1 ? 'belongs to a lead' : 'belong to leads'
    const sentence = `Warning: ${some} ${belong}, whom no campaign calls then: ${first.join(', ')}${more}.`
    return isComplete ? [sentence] : [sentence, `Only ${compared} were compared.`]
  }

  /** Takes numbers that are on the list now. */
  noteAdded(numbers: readonly string[]): void {
    const added = new Set(numbers)
    this.#blocked.push(...(this.#found?.leads ?? []).filter((lead) => added.has(lead.phone) && canLeaveQueue(lead)))
  }

  /** A sentence about the leads that left the queue, as far as leads were compared. */
  describeResult(): string[] {
    return describeLeftQueue(this.#blocked)
  }
}

/** How many numbers there are, each counted once, and those of them that leads have. */
async function countBlocked(numbers: AsyncIterable<string>, names: ReadonlyMap<string, string>) {
  const blocked = new Set<string>()
  const seen = new Set<string>()
  let count = 0
  for await (const number of numbers) {
    if (seen.has(number)) continue
    if (seen.size < keptMax) seen.add(number)
    count++
    if (names.has(number)) blocked.add(number)
  }
  return { count, blocked: [...blocked] }
}
