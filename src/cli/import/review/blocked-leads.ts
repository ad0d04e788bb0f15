/** Says before an import to the Do Not Call list which leads it would block, because one of them may be a customer. */
import type { Client, Contract } from '../../../client/client.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import { findLeadsOfNumbers } from '../../lookup/leads-of-numbers.js'
import { amount } from '../result-sentence.js'

const namedMost = 3

/** Numbers in memory, so that it does not grow with the file. More are counted without looking for repeated ones. */
const keptMax = 200_000

/**
 * Sentences about the numbers that belong to leads; none if no lead has one of them. Compares with the latest leads only, so
 * that a long list of leads does not make the person wait. `numbers` are in the form of the list.
 */
export async function describeBlockedLeads(
  client: Client<Contract>,
  numbers: AsyncIterable<string>,
): Promise<string[]> {
  const { leads, read, isComplete } = await findLeadsOfNumbers(client, { has: () => true })
  const names = new Map(leads.map(({ phone, name }) => [phone, name ?? phone]))
  const blocked = new Set<string>()
  const seen = new Set<string>()
  let count = 0
  for await (const number of numbers) {
    if (seen.has(number)) continue
    if (seen.size < keptMax) seen.add(number)
    count++
    if (names.has(number)) blocked.add(number)
  }
  if (count === 0 || read === 0 || (blocked.size === 0 && isComplete)) return []
  const compared = `the latest ${amount(read, 'leads')}`
  const these = count === 1 ? 'this number' : `these ${amount(count, 'numbers')}`
  if (blocked.size === 0)
    return [
      `${count === 1 ? 'This number does not belong' : `None of ${these} belongs`} to ${compared}. Older leads were not compared.`,
    ]
  const first = [...blocked].slice(0, namedMost).map((number) => stripControlsFromLine(names.get(number) ?? number))
  const rest = blocked.size - first.length
  const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
  const some = count === 1 ? these : `${blocked.size.toLocaleString('en-US')} of ${these}`
  const belong = blocked.size === 1 ? 'belongs to a lead' : 'belong to leads'
  const sentence = `Warning: ${some} ${belong}, whom no campaign calls then: ${first.join(', ')}${more}.`
  return isComplete ? [sentence] : [sentence, `Only ${compared} were compared.`]
}
