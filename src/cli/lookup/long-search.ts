/** Looks numbers up among many leads before they are blocked. Shows how far it is; a person can go on without the rest. */
import { systemClock } from '../../client/system-clock.js'
import type { Client, Contract } from '../../client/client.js'
import { Progress } from '../../output/progress.js'
import { canRedraw } from '../../output/style.js'
import type { SvcCommand } from '../base/command.js'
import { findLeadsOfNumbers, type LeadsOfNumbers } from './leads-of-numbers.js'

/** 5,000 leads: a quarter of a minute at the rate limit of a key. */
const pagesMax = 50

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
  { around, draw }: Terminal,
  client: Client<Contract>,
  { phones, canSkip }: LongSearch,
): Promise<SearchedLeads> {
  const stop = new AbortController()
  const interrupt = () => stop.abort()
  const terminal = canRedraw(around.stderr, around.env) ? around.stderr : undefined
  const bar = new Progress({ what: 'leads compared', terminal, write: draw, now: () => systemClock.now() })
  const note = canSkip ? 'Ctrl-C skips the rest' : undefined
  if (canSkip) process.once('SIGINT', interrupt)
  try {
    const onPage = (done: number) => bar.update({ done, note })
    const found = await findLeadsOfNumbers(client, phones, { pagesMax, onPage, signal: stop.signal })
    return { ...found, isSkipped: stop.signal.aborted }
  } finally {
    bar.clear()
    process.removeListener('SIGINT', interrupt)
  }
}

/** The part of a command that shows the progress. */
export type Terminal = Pick<SvcCommand, 'around'> & { draw: (text: string) => void }
