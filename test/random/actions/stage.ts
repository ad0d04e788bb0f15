/**
 * The simulator of a random run, which can be closed, killed and restarted, and what happened in it since the last
 * look.
 */
import { cpSync, existsSync } from 'node:fs'
import type { Organization } from '../../../src/contract/control/world.js'
import { startSimulator, type SimulatorOptions } from '../../../simulator/index.js'
import { Simulation } from '../../support/simulate.js'
import { Journal, type Happening } from '../journal.js'
import { quietName, type Setting } from './setting.js'

/** The files that a killed program leaves. */
const beside = ['', '-wal', '.snapshots']

export class Stage {
  readonly failures: unknown[] = []
  readonly #options: SimulatorOptions
  #data: string
  #generation = 0
  simulation!: Simulation
  #journal: Journal | undefined
  /** A lead of the organization in which nothing happens. */
  #quiet = ''

  private constructor(
    { seed, now, world }: Setting,
    data: string,
    private readonly watched: boolean,
  ) {
    this.#data = data
    const onFailure = (error: unknown) => this.failures.push(error)
    this.#options = { seed, now, world, paused: true, limits: false, onFailure }
  }

  /** `data` is a new file, or `:memory:`. */
  static async open(setting: Setting, data: string, { watched = false }: { watched?: boolean } = {}): Promise<Stage> {
    const stage = new Stage(setting, data, watched)
    await stage.#start()
    const { campaigns } = await stage.#organization(quietName)
    const loaded = { campaign_id: campaigns[0]?.id, leads: [{ phone: '+12127365999' }] }
    const { ids } = await stage.simulation.control<{ ids: [string] }>('POST', '/_sim/leads', loaded)
    stage.#quiet = ids[0]
    await stage.#journal?.upTo(stage.#isMark)
    return stage
  }

  get inFile(): boolean {
    return this.#data !== ':memory:'
  }

  async #start(): Promise<void> {
    this.simulation = new Simulation(await startSimulator({ ...this.#options, data: this.#data }), this.failures)
    this.#journal = this.watched ? await Journal.open(this.simulation.url) : undefined
  }

  /** Closes the simulator and starts it again on its file. */
  async restart(): Promise<void> {
    await this.close()
    await this.#start()
  }

  /** Starts again on a copy of the files of this moment, as after a kill. */
  async crash(): Promise<void> {
    const left = `${this.#data.replace(/\.\d+$/, '')}.${++this.#generation}`
    for (const end of beside) {
      if (existsSync(this.#data + end)) cpSync(this.#data + end, left + end, { recursive: true })
    }
    await this.close()
    this.#data = left
    await this.#start()
  }

  close(): Promise<void> {
    return this.simulation.simulator.close()
  }

  async organizations(): Promise<Organization[]> {
    const { organizations } = await this.simulation.control<{ organizations: Organization[] }>('GET', '/_sim/world')
    return organizations.filter(({ name }) => name !== quietName)
  }

  async #organization(name: string): Promise<Organization> {
    const { organizations } = await this.simulation.control<{ organizations: Organization[] }>('GET', '/_sim/world')
    const found = organizations.find((one) => one.name === name)
    if (!found) throw new Error(`the world has no organization ${name}`)
    return found
  }

  /** Everything since the last call. Putting a lead of the quiet organization back marks the end. */
  async happenings(): Promise<Happening[]> {
    const { simulation } = this
    if (!this.#journal) return []
    await simulation.control('POST', `/_sim/leads/${this.#quiet}/put_back`)
    return this.#journal.upTo(this.#isMark)
  }

  readonly #isMark = (one: Happening): boolean =>
    one.what === 'event' && one.event.type === 'lead.queued' && one.event.data.object.id === this.#quiet
}
