/** Where a listener is in the events of an account, kept in a file a profile, so that the next one goes on from there. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { SystemClock } from '../../client/system-clock.js'
import { PrivateFile } from '../../config/private-file.js'
import type { Settings } from '../../config/settings.js'
import { webhookGiveUpHours } from '../../contract/limits.js'
import type { Mark } from '../events/event-feed.js'
import { isRunning } from '../base/running-process.js'

interface Kept {
  /** Whose events: a digest of the key, which tells nothing of it. */
  account: string
  /** The last event before which all are settled: delivered, given up, or not asked for. Null: there was none yet. */
  after: Mark | null
  /** Those after it that are settled already, where several are on their way at one time. */
  settled: readonly string[]
  /** When the listener was last there, by the machine's clock. */
  at: string
  /** Its process; 0 once it has ended. */
  pid: number
}

/** Why a listener begins where it does. `taken`: another one of this profile runs, and the place is that one's. */
export type StartingPoint = 'asked' | 'first' | 'goes_on' | 'long_ago' | 'taken'

export interface CursorFileOptions {
  configFolder: string
  settings: Settings
  machine: SystemClock
  /** A beginning was asked for: what was kept is not gone on from. */
  isAsked: boolean
  /** Told once where the place cannot be kept. */
  onTrouble: (error: Error) => void
}

/** As the service does not try a delivery a day after its first try (specification, Retries). */
const longAgoMs = webhookGiveUpHours * 3_600_000
/** A listener is there again and again, also where nothing happens. */
export const stillThereMs = 60_000
/** Whoever was not there for so long has ended, and its process number is another's. */
const goneAfterMs = 2.5 * stillThereMs

export class CursorFile {
  readonly beginning: StartingPoint
  /** What a listener settled last, gone on from or not. */
  readonly last: Mark | null
  readonly #file: PrivateFile<Kept>
  readonly #options: CursorFileOptions
  readonly #account: string
  readonly #isOthers: boolean
  /** Undefined: not known yet, so that there is nothing to keep. */
  #after: Mark | null | undefined
  /** What was settled out of turn before. */
  #before: ReadonlySet<string> = new Set()
  /** What was taken since, in order, from the first that is not settled. */
  #taken: { mark: Mark; isSettled: boolean }[] = []
  #isBroken = false

  constructor(options: CursorFileOptions) {
    const { configFolder, settings, machine } = options
    this.#options = options
    this.#account = hashKey(settings.keyId?.value ?? settings.secret?.value ?? '')
    // No profile's name begins so.
    const name = settings.profile?.value ?? `_${this.#account}`
    const words = { name: "listener's place", remedy: 'Remove it: the next listener then begins anew.' }
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
  }

  /** What to go on after; null: with the first event there is; undefined: that is not kept. */
  get after(): Mark | null | undefined {
    return this.#after
  }

  /** From here on it is this listener's. */
  begin(after: Mark | null): void {
    this.#after = after
    this.save()
  }

  /** As `begin`, in another world: its events may have ids that were settled in the one before. */
  restart(after: Mark | null): void {
    ;[this.#before, this.#taken] = [new Set(), []]
    this.begin(after)
  }

  /** The next event in turn. False where it was settled before. */
  take({ id, created = '' }: Mark): boolean {
    const isSettled = this.#before.has(id)
    this.#taken.push({ mark: { id, created }, isSettled })
    this.#goOn()
    return !isSettled
  }

  /** Nothing more is to be done about it. Unless it is saved, that is known to this listener alone. */
  settle({ id }: Mark): void {
    const entry = this.#taken.find(({ mark }) => mark.id === id)
    if (entry) entry.isSettled = true
    this.#goOn()
  }

  /** Keeps the place as it is now. `isOver`: nobody is there any more. */
  save(isOver = false): void {
    if (this.#after === undefined || this.#isOthers || this.#isBroken) return
    const settled = this.#taken.flatMap(({ mark, isSettled }) => (isSettled ? [mark.id] : []))
    const at = new Date(this.#options.machine.now()).toISOString()
    const pid = isOver ? 0 : process.pid
    try {
      this.#file.write({ account: this.#account, after: this.#after, settled, at, pid })
    } catch (error) {
      this.#isBroken = true
      this.#options.onTrouble(error as Error)
    }
  }

  #goOn(): void {
    while (this.#taken[0]?.isSettled) this.#after = this.#taken.shift()?.mark
  }

  #beginningAt(kept: Kept | null, agoMs: number): StartingPoint {
    if (this.#isOthers) return 'taken'
    if (this.#options.isAsked) return 'asked'
    if (kept?.account !== this.#account) return 'first'
    return agoMs < longAgoMs ? 'goes_on' : 'long_ago'
  }
}

const hashKey = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

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
