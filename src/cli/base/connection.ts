/** The service that a command talks to: its settings, the options of its clients, and its clock if it is a simulator. */
import type { TransportOptions } from '../../client/transport.js'
import { systemClock } from '../../client/system-clock.js'
import type { Settings } from '../../config/settings.js'
import { NoKeyError } from '../errors/exit-codes.js'
import { simulatedNow } from './simulated-now.js'

/** After a longer wait for an answer, the clock of the service is read again: a person may take minutes. */
const answerMs = 300

export interface ConnectionOptions {
  /** Reads the settings of this run. */
  resolve: () => Settings
  /** What every client of this run has, next to address and key. */
  shared: () => Omit<TransportOptions, 'baseUrl' | 'key'>
}

export class Connection {
  readonly #options: ConnectionOptions
  #settings: Settings | undefined
  /** Secrets of every key that this run has used. */
  readonly #secrets = new Set<string>()
  #simulatedNow: number | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get settings(): Settings {
    return this.#settings ?? this.#use(this.#options.resolve())
  }

  #use(settings: Settings): Settings {
    if (settings.secret) this.#secrets.add(settings.secret.value)
    return (this.#settings = settings)
  }

  /** Secrets that output masks: those of earlier keys too, because answers to them may still be shown. */
  get secrets(): readonly string[] {
    return [...this.#secrets]
  }

  /** The settings if they were resolved. `login` and errors before that have none. */
  get resolved(): Settings | undefined {
    return this.#settings
  }

  /** Where the address and the key came from. */
  get sources(): { addressSource?: string; keySource?: string } {
    if (!this.#settings) return {}
    const { baseUrl, secret } = this.#settings
    return { addressSource: baseUrl.source, ...(secret && { keySource: secret.source }) }
  }

  /** Options of a client. */
  transportOptions({ baseUrl, keyId, secret }: Settings = this.settings): TransportOptions {
    const key = secret && { id: keyId?.value, secret: secret.value }
    return { baseUrl: baseUrl.value, key, ...this.#options.shared() }
  }

  /**
   * Options of a client with a key. Output masks this key from now on.
   * @throws NoKeyError
   */
  keyedOptions(settings: Settings): TransportOptions {
    this.#use(settings)
    const options = this.transportOptions(settings)
    if (!options.key) throw new NoKeyError(settings.withheld)
    return options
  }

  /** Reads the clock of the service, so that tables show times relative to it. */
  async readClock(): Promise<void> {
    this.#simulatedNow = await this.#askClock()
  }

  /** The clock when it was last read, in milliseconds; undefined if it was not, or the service is not a simulator. */
  get clockRead(): number | undefined {
    return this.#simulatedNow
  }

  /** The clock of the service now, if it is a simulator. */
  async #askClock(): Promise<number | undefined> {
    const { sendOnce } = await import('../../client/exchange.js')
    return simulatedNow(this.settings.baseUrl.value, sendOnce)
  }

  /** The clock of the service in milliseconds, if it is a simulator. */
  async simulatorClock(): Promise<number | undefined> {
    return this.#simulatedNow ?? this.#askClock()
  }

  /** Parses `--since` or `--until`. A duration counts back from the clock of the service if that is a simulator. */
  async time(text: string, flag: '--since' | '--until'): Promise<string> {
    const { parseTime } = await import('../input/date-time.js')
    return parseTime(text, flag, async () => (await this.#askClock()) ?? Date.now())
  }

  /** Waits for the answer of a person, and reads the clock again if that took long. */
  async afterAnswer<T>(answer: Promise<T>): Promise<T> {
    const began = systemClock.now()
    const given = await answer
    if (this.#simulatedNow !== undefined && systemClock.now() - began > answerMs) await this.readClock()
    return given
  }
}
