/** Looks numbers up among many leads before they are blocked. Shows how far it is; a person can go on without the rest. */
import type { Client, Contract } from '../../client/client.js'
import type { SvcCommand } from '../base/command.js'
import { findLeadsOfNumbers, type LeadsOfNumbers } from './leads-of-numbers.js'

/** 5,000 leads: a quarter of a minute at the rate limit of a key. */
const pagesMax = 50
/** A search that reads more pages than this tells the person how far it is. */
const quietPages = 3

export interface LongSearch {
  phones: Pick<ReadonlySet<string>, 'has'>
  /** True if Ctrl-C ends the search and the command goes on, because a question follows. Otherwise it ends the command. */
  canSkip: boolean
}

export interface SearchedLeads extends LeadsOfNumbers {
  /** True if the person ended the search. */
  isSkipped: boolean
}

/** The leads with these numbers among the latest 5,000. */
export async function searchLeads(
  command: Pick<SvcCommand, 'note' | 'isInteractive'>,
  client: Client<Contract>,
  { phones, canSkip }: LongSearch,
): Promise<SearchedLeads> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  let pages = 0
  const onPage = (read: number) => {
    pages += 1
    if (!command.isInteractive) return
    if (pages === quietPages + 1)
      command.note(`Comparing with the latest leads, up to 5,000.${canSkip ? ' Ctrl-C skips the rest.' : ''}\n`)
    else if (pages % 10 === 0 && pages < pagesMax) command.note(`${read.toLocaleString('en-US')} leads compared.\n`)
  }
  if (canSkip) process.once('SIGINT', interrupt)
  try {
    const found = await findLeadsOfNumbers(client, phones, { pagesMax, onPage, signal: stop.signal })
    return { ...found, isSkipped: stop.signal.aborted }
  } finally {
    process.removeListener('SIGINT', interrupt)
  }
}
