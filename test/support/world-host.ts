/** A simulator with isolated worlds, and clients of them. */
import { afterAll } from 'vitest'
import type { IsolatedWorld, WorldDiff, WorldInList } from '../../src/contract/control/worlds.js'
import { startSimulator, type SimulatedWorld, type Simulator, type SimulatorOptions } from '../../simulator/index.js'
import { Simulation } from './simulate.js'

const start = { now: '2026-10-01T15:00:00Z', limits: false, allowLocalWebhooks: true, paused: true }

/** Clients of the worlds of one simulator. It is stopped after the test file. */
export class WorldHost {
  private constructor(
    readonly simulator: Simulator,
    /** The main world. */
    readonly main: Simulation,
  ) {}

  static async start(options: SimulatorOptions = {}): Promise<WorldHost> {
    const simulator = await startSimulator({ ...start, ...options })
    afterAll(() => simulator.close())
    return new WorldHost(simulator, await lookAt(simulator))
  }

  create(body: object = {}) {
    return this.main.ask<IsolatedWorld>('POST', '/_sim/worlds', body)
  }

  /** Creates a world and a client of it. */
  async createAndEnter(body: object = {}) {
    const { data } = await this.create(body)
    return { ...data, sim: await enter(data) }
  }

  list(): Promise<WorldInList[]> {
    return this.main.control('GET', '/_sim/worlds')
  }

  remove(id: string) {
    return this.main.ask('DELETE', `/_sim/worlds/${id}`)
  }

  diff(a: string, b: string): Promise<WorldDiff> {
    return this.main.control('GET', `/_sim/worlds/${a}/diff/${b}`)
  }
}

export async function lookAt(world: Simulator | SimulatedWorld): Promise<Simulation> {
  const simulation = new Simulation(world, [])
  await simulation.look()
  return simulation
}

/** A client of a world that was created over HTTP. */
export async function enter({ base_url, control_url, now }: IsolatedWorld): Promise<Simulation> {
  const url = control_url.replace(/\/_sim$/, '')
  const never = () => Promise.reject(new Error('use the control plane'))
  const simulation = new Simulation(
    { url, baseUrl: base_url, now: () => now, advance: never, advanceUntil: never, close: never },
    [],
  )
  await simulation.look()
  return simulation
}
