/** Position of a listener in the events of an account. Stored in one file per profile and target, so that the next run continues from there. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { SystemClock } from '../../client/system-clock.js'
import { PrivateFile } from '../../config/private-file.js'
import type { Settings } from '../../config/settings.js'
import { webhookGiveUpHours } from '../../contract/limits.js'
import type { Mark } from '../events/event-feed.js'
import { isRunning } from '../base/running-process.js'

interface Kept {
  /** Digest of the key that the events belong to. It does not reveal the key. */
  account: string
  /** Last event up to which every event is settled: delivered, given up, or filtered out. Null if there is none. */
  after: Mark | null
  /** Later events that are settled already, when several are sent at once. */
  settled: readonly string[]
  /** Last sign of life of the listener, by the machine's clock. */
  at: string
  /** Process id of the listener; 0 after it has ended. */
  pid: number
}

/** Why a listener starts where it does. `taken`: another listener of this profile and target is running and owns the position. */
export type StartingPoint = 'asked' | 'first' | 'goes_on' | 'long_ago' | 'taken'

export interface CursorFileOptions {
  configFolder: string
  settings: Settings
  /** Where events go, in words that are the same for each run. Another target has a position of its own. */
  target: string
  machine: SystemClock
  /** The user gave a start, so the stored position is not used. */
  isAsked: boolean
  /** Called once if the position cannot be stored. */
  onTrouble: (error: Error) => void
}

/** The service stops retrying after a day, too (rule W6). */
const longAgoMs = webhookGiveUpHours * 3_600_000
/** Interval at which a listener records that it is alive. */
export const stillThereMs = 60_000
/** After this time without a sign of life, the listener has ended and its process id may be reused. */
const goneAfterMs = 2.5 * stillThereMs

export class CursorFile {
  readonly beginning: StartingPoint
  /** Stored position, whether or not this run continues from it. */
  readonly last: Mark | null
  readonly #file: PrivateFile<Kept>
  readonly #options: CursorFileOptions
  #account: string
  readonly #isOthers: boolean
  /** Undefined until the position is known; nothing is stored then. */
  #after: Mark | null | undefined
  /** Stored position of an earlier run, as long as a run with another start has not come past it. */
  #held: Kept | undefined
  /** True once the event of the held position was settled again. */
  #hasReachedHeld = false
  /** Events settled out of order by an earlier run. */
  #before: ReadonlySet<string> = new Set()
  /** Events taken since, in order, from the first unsettled one. */
  #taken: { mark: Mark; isSettled: boolean }[] = []
  #isBroken = false

  constructor(options: CursorFileOptions) {
    const { configFolder, settings, machine } = options
    this.#options = options
    this.#account = accountOf(settings)
    // No profile name begins with this character.
    const name = `${settings.profile?.value ?? `_${this.#account}`}~${digest(options.target)}`
    const words = { name: "listener's place", remedy: 'Remove it; the next listener then starts with new events.' }
    this.#file = new PrivateFile(join(configFolder, 'listen', `${name}.json`), isKept, words)
    const kept = this.#file.read()
    this.last = kept?.after ?? null
    const agoMs = kept ? machine.now() - Date.parse(kept.at) : Infinity
    this.#isOthers = kept !== null && agoMs < goneAfterMs && kept.pid !== process.pid && isRunning(kept.pid)
    this.beginning = this.#beginningAt(kept, agoMs)
    if (kept && this.beginning === 'goes_on') {
      this.#after = kept.after
      this.#before = new Set(kept.settled)
    }
    if (this.beginning === 'asked' && kept?.account === this.#account && kept.after) this.#held = kept
  }

  /** Event to continue after; null starts with the oldest event; undefined if no position is stored. */
  get after(): Mark | null | undefined {
    return this.#after
  }

  /** Takes ownership of the stored position. */
  begin(after: Mark | null): void {
    this.#after = after
    this.#held = undefined
    this.save()
  }

  /** Like `begin`, for a replaced world: its events may reuse ids that were settled before. */
  restart(after: Mark | null): void {
    ;[this.#before, this.#taken] = [new Set(), []]
    this.begin(after)
  }

  /** The events belong to another key from here on. */
  changeKey(settings: Settings): void {
    this.#account = accountOf(settings)
  }

  /** Takes the next event. Returns false if it was settled before. */
  take({ id, created = '' }: Mark): boolean {
    const isSettled = this.#before.has(id)
    this.#taken.push({ mark: { id, created }, isSettled })
    this.#goOn()
    return !isSettled
  }

  /** Marks an event as settled. Only in memory until it is saved. */
  settle({ id }: Mark): void {
    const entry = this.#taken.find(({ mark }) => mark.id === id)
    if (entry) entry.isSettled = true
    this.#goOn()
  }

  /** Stores the current position. `isOver`: the listener is ending. */
  save(isOver = false): void {
    const position = this.#position()
    if (position === undefined || this.#isOthers || this.#isBroken) return
    const at = new Date(this.#options.machine.now()).toISOString()
    const pid = isOver ? 0 : process.pid
    try {
      this.#file.write({ account: this.#account, ...position, at, pid })
    } catch (error) {
      this.#isBroken = true
      this.#options.onTrouble(error as Error)
    }
  }

  /** Undefined if there is nothing to store. */
  #position(): Pick<Kept, 'after' | 'settled'> | undefined {
    if (this.#held) {
      // A new time would make a run continue after an old position that it would not use otherwise.
      const isOld = this.#options.machine.now() - Date.parse(this.#held.at) >= longAgoMs
      return isOld ? undefined : { after: this.#held.after, settled: this.#held.settled }
    }
    if (this.#after === undefined) return undefined
    return { after: this.#after, settled: this.#taken.flatMap(({ mark, isSettled }) => (isSettled ? [mark.id] : [])) }
  }

  #goOn(): void {
    while (this.#taken[0]?.isSettled) {
      const { mark } = this.#taken[0]
      this.#taken.shift()
      this.#after = mark
      this.#comePastHeld(mark)
    }
  }

  /** Lets go of the stored position once a later event is settled. */
  #comePastHeld({ id, created = '' }: Mark): void {
    const held = this.#held?.after
    if (!held) return
    if (id === held.id) this.#hasReachedHeld = true
    else if (this.#hasReachedHeld || Date.parse(created) > Date.parse(held.created ?? '')) this.#held = undefined
  }

  #beginningAt(kept: Kept | null, agoMs: number): StartingPoint {
    if (this.#isOthers) return 'taken'
    if (this.#options.isAsked) return 'asked'
    if (kept?.account !== this.#account) return 'first'
    return agoMs < longAgoMs ? 'goes_on' : 'long_ago'
  }
}

const accountOf = ({ keyId, secret }: Settings): string => digest(keyId?.value ?? secret?.value ?? '')

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

const isCreated = ({ created }: { created?: unknown }): boolean => created === undefined || typeof created === 'string'

function isKept(value: unknown): value is Kept {
  const kept = value as Partial<Record<keyof Kept, unknown>> | null
  if (typeof kept !== 'object' || kept === null || Array.isArray(value)) return false
  const { account, after, settled, at, pid } = kept
  const isMark =
    after === null || (typeof after === 'object' && typeof (after as Mark).id === 'string' && isCreated(after))
  return (
    typeof account === 'string' &&
    isMark &&
    Array.isArray(settled) &&
    typeof at === 'string' &&
    !Number.isNaN(Date.parse(at)) &&
    typeof pid === 'number'
  )
}
