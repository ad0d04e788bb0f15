/** Follows events past a change of the key: a simulator that starts with a new world saves new keys in its profile. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import { isLoopbackHost } from '../../url.js'
import type { Settings } from '../../config/settings.js'
import type { Event } from '../../contract/events.js'
import { formatDuration } from '../../output/progress.js'
import type { EventFeed, Mark } from '../events/event-feed.js'
import { watchEvents, type WatchOptions } from '../events/event-watch.js'
import type { CursorFile } from './cursor-file.js'
import type { Report } from './report.js'

/** A client with the key that the profile holds now. */
export interface Renewed {
  client: Client<Contract>
  settings: Settings
}

export interface FollowOptions extends Omit<WatchOptions, 'onLost' | 'onBack'> {
  report: Report
  place: CursorFile
  /** Undefined if the key is not from a profile, or the profile still holds the same one. */
  renew: () => Promise<Renewed | undefined>
  /** Opens the feed again: after this event, or from now on if it is undefined. */
  reopen: (client: Client<Contract>, after: Mark | null | undefined) => Promise<EventFeed>
}

/** A simulator answers a moment before it has saved its keys. */
const savedWithinMs = 3_000
const lookEveryMs = 200

export async function* followEvents(options: FollowOptions): AsyncGenerator<Event[]> {
  const { report } = options
  let { feed } = options
  let lostAt: number | undefined
  const onLost = ({ message }: Error) => {
    lostAt = options.machine.now()
    report.tell('lost', { message }, `Lost: ${message} Trying until it is back.`)
  }
  const onBack = (lostMs: number) => {
    lostAt = undefined
    report.tell('back', { lost_ms: lostMs }, `Back after ${formatDuration(lostMs)}.`)
  }
  for (;;) {
    try {
      yield* watchEvents({ ...options, feed, onLost, onBack })
      return
    } catch (error) {
      const renewed = error instanceof ApiError && error.status === 401 ? await renewSoon(options) : undefined
      if (!renewed) throw error
      const lostMs = lostAt === undefined ? 0 : options.machine.now() - lostAt
      feed = await goOnWith(renewed, options, { last: feed.last, wasLost: lostAt !== undefined, lostMs })
      lostAt = undefined
    }
  }
}

async function renewSoon({ renew, machine, signal }: FollowOptions): Promise<Renewed | undefined> {
  const end = machine.now() + savedWithinMs
  for (;;) {
    const renewed = await renew()
    if (renewed || signal.aborted || machine.now() >= end) return renewed
    await machine.sleep(lookEveryMs, signal).catch(() => undefined)
  }
}

async function goOnWith(
  { client, settings }: Renewed,
  { reopen, place, report }: FollowOptions,
  { last, wasLost, lostMs }: { last: Mark | null; wasLost: boolean; lostMs: number },
): Promise<EventFeed> {
  const { host, hostname } = new URL(settings.baseUrl.value)
  const isNewSimulator = wasLost && isLoopbackHost(hostname)
  const feed = await reopen(client, isNewSimulator ? undefined : last)
  place.changeKey(settings)
  if (isNewSimulator) place.restart(feed.last)
  const sentence = isNewSimulator
    ? `A new simulator runs at ${host}. Listening to it from now on.`
    : `The key of profile ${settings.profile?.value ?? ''} was replaced. Continuing with the new one.`
  report.tell('back', { lost_ms: lostMs, new_key: true }, sentence)
  return feed
}
