/** Asks for an entry of the Do Not Call list: one of the latest, or any by its number or a part of it. */
import type { Client, Contract } from '../../../client/client.js'
import { offerEntries, partOfNumber } from '../../lookup/dnc-facts.js'
import { isId } from '../../lookup/matches.js'
import { latestOf, phoneNeed, recentMax } from './choices.js'
import type { MissingValue } from './prompt-for-missing.js'

export function dncNeed(client: Client<Contract>, value: string | undefined): MissingValue {
  const phone = phoneNeed(value, '<phone>')
  return {
    ...phone,
    label: 'Phone number, or a part of it',
    choices: async () => {
      const { body } = await client.call('listDnc', { query: { limit: recentMax } })
      return latestOf(offerEntries(body.data), 'numbers on the list', body.meta.has_more)
    },
    ifNone: 'The Do Not Call list is empty.',
    isOpen: true,
    // Asked for without a list if the key may not read it.
    check: (text) => isId(text) || partOfNumber(text) !== undefined || phone.check(text),
  }
}
