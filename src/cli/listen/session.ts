/** Runs one listen session, from the first connection to the exit code. */
import type { Client, Contract } from '../../client/client.js'
import { Doorbell } from '../../client/doorbell.js'
import type { Settings } from '../../config/settings.js'
import type { IO } from '../../config/environment.js'
import { EventFeed, type Mark } from '../events/event-feed.js'
import { exitCodes } from '../errors/exit-codes.js'
import { exitCodeOfSignal, waitForInterrupt } from '../base/interruption.js'
import { quoteForShell } from '../input/shell-word.js'
import { Listener, type ListenerOptions } from './listener.js'
import { followEvents, type Renewed } from './follow-events.js'
import { CursorFile } from './cursor-file.js'
import { ReceiverProgram } from './receiver-program.js'

export interface SessionOptions extends Omit<ListenerOptions, 'place'> {
  client: Client<Contract>
  settings: Settings
  around: IO
  /** Reads the key again after the service refused it; undefined if there is no other one. */
  renew: () => Promise<Renewed | undefined>
  /** Event filters, as given. */
  events: readonly string[]
  /** Start time, or `now`. */
  since: string | undefined
  /** Polling interval while the doorbell is not connected. */
  intervalMs: number
  /** Command of the developer's server, if it is run too. */
  program: { words: readonly string[]; secret: string } | undefined
  /** Description of the signing secret. */
  signed: string
}

/** Time for a local simulator to open the doorbell stream. */
const bellWithinMs = 1_000
/** Time to wait for servers to accept connections. After that, events are sent with the usual retries. */
const programWithinMs = 15_000

/** Returns the exit code. Throws if the service is unreachable or rejects the key. */
export async function runListenSession(options: SessionOptions): Promise<number> {
  const place = openPlace(options)
  const listener = new Listener({ ...options, place })
  let program: ReceiverProgram | undefined
  try {
    const { feed, doorbell } = await connectToService(options, place, listener.stopping)
    const interrupted = waitForInterrupt()
    interrupted.addEventListener('abort', () => {
      if (listener.isBusy)
        options.report.remark('Stopping once what is on its way has ended. Ctrl-C again ends it at once.')
      listener.stop()
    })
    program = await startProgram(options)
    const ended = program?.ended.then((code) => (listener.stop(), code))
    await sayReady(options, place, feed, doorbell)

    const soon = AbortSignal.any([listener.stopping, AbortSignal.timeout(programWithinMs)])
    await program?.takesAll(options.targets.urls, soon)
    const { machine, intervalMs, report } = options
    const summary = await listener.run(
      followEvents({
        ...{ feed, doorbell, machine, intervalMs, signal: listener.stopping, report, place, renew: options.renew },
        reopen: (client, after) => openFeed({ ...options, client, since: undefined }, place, after),
      }),
    )
    await program?.stop()
    await report.stopped(summary)
    if (interrupted.aborted) return exitCodeOfSignal(interrupted)
    const hasAll = summary.delivered + summary.failed >= options.maxEvents
    if (ended !== undefined && !hasAll) return await ended
    return summary.failed > 0 ? exitCodes.failed : exitCodes.done
  } finally {
    listener.abandon()
    await program?.stop()
    // Do not wait for a connection that is still opening.
    setTimeout(() => process.exit(), 250).unref()
  }
}

function openPlace({ targets, around, settings, machine, since, report }: SessionOptions): CursorFile {
  return new CursorFile({
    ...{ configFolder: around.configFolder, settings, target: targets.identity, machine, isAsked: since !== undefined },
    onTrouble: ({ message }) => report.remark(`${message} The next run will not know where this one was.`),
  })
}

/** No event is missed from here on. */
async function connectToService(options: SessionOptions, place: CursorFile, signal: AbortSignal) {
  const { settings, machine, report, since } = options
  const { value: baseUrl } = settings.baseUrl
  report.remark(`Connecting to ${new URL(baseUrl).host}.`)
  const doorbell = Doorbell.listen({ baseUrl, mode: settings.mode, machine, signal })
  const feed = await openFeed(options, place, place.beginning === 'goes_on' ? place.after : undefined)
  if (since === undefined || since === 'now') place.begin(feed.last)
  await doorbell.isKnown(bellWithinMs)
  return { feed, doorbell }
}

function openFeed(
  { client, report, since }: SessionOptions,
  place: CursorFile,
  after: Mark | null | undefined,
): Promise<EventFeed> {
  return EventFeed.open(client, {
    since: since === 'now' ? undefined : since,
    after,
    onGone: ({ id }) => {
      report.remark(`${id} is no longer in the list: every event in it is sent.`)
      place.restart(null)
    },
    onOdd: (count) => report.remark(`Skipped ${count} events without an id or a type.`),
    onReplaced: (after) => {
      report.remark('The simulator has a new world. Events that happen in it from now on are sent.')
      place.restart(after)
    },
  })
}

async function startProgram({ program, around, machine }: SessionOptions): Promise<ReceiverProgram | undefined> {
  if (!program) return undefined
  const env = { ...around.env, SVC_WEBHOOK_SECRET: program.secret }
  return ReceiverProgram.start(program.words, env, machine)
}

async function sayReady(options: SessionOptions, place: CursorFile, feed: EventFeed, doorbell: Doorbell) {
  const { targets, report, events, since, intervalMs } = options
  const forward = targets.described
  const how = doorbell.isOpen ? 'Events come as they happen.' : `Checks for events every ${intervalMs / 1_000} s.`
  const sentences = [describeRoutes(options), how, ...beginningOf(options, place, feed), 'Ctrl-C stops it.']
  const facts = { events, forward, since: since ?? null, after: feed.last?.id ?? null, stream: doorbell.isOpen }
  await report.state('ready', facts, sentences.join(' '))
}

function describeRoutes({ targets, events, signed }: SessionOptions): string {
  const named = events.includes('*') ? 'every event' : events.join(', ')
  const forward = targets.described
  if (forward.length === 0) return `Ready: ${named}, printed here and sent nowhere.`
  const ways = forward.map(
    ({ events: like, url }) => `${like === '*' && forward.length > 1 ? 'others' : like} to ${url}`,
  )
  const where = forward.length === 1 && forward[0]?.events === '*' ? ` to ${forward[0].url}` : `: ${ways.join(', ')}`
  return `Ready: ${named}${where}, signed ${signed}.`
}

/** Describes where the session starts, and why. */
function beginningOf({ since, targets }: SessionOptions, place: CursorFile, { last }: EventFeed): string[] {
  switch (place.beginning) {
    case 'goes_on':
      return [last ? `Continues after ${last.id}.` : 'Continues with the first event.']
    case 'long_ago':
      return [
        'Starts now: the last run was more than a day ago.',
        ...(place.last?.created
          ? [`--since ${quoteForShell(place.last.created)} includes the events since then.`]
          : []),
      ]
    case 'taken':
      return [
        `${since === undefined ? 'Starts now and does' : 'Does'} not save its position: another listener of this profile ${targets.urls.length > 0 ? 'sends to the same address' : 'prints events'}.`,
      ]
    case 'first':
    case 'asked':
    case undefined:
      return []
  }
}
