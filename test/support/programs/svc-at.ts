/** The built program with its own simulator and one of its keys. */
import { expect } from 'vitest'
import { simulate, simulateAlone, type Client, type Simulation } from '../simulate.js'
import { Svc, type Ran, type Words } from './svc.js'
import type { SimulatorOptions } from '../../../simulator/index.js'

export class SvcAt {
  readonly svc = new Svc()

  static async start(options: SimulatorOptions = {}, mode: 'live' | 'test' = 'live'): Promise<SvcAt> {
    const simulation = await simulate(options)
    return new SvcAt(simulation, simulation[mode])
  }

  /** With a simulator of its own instead of a world. */
  static async alone(options: SimulatorOptions = {}, mode: 'live' | 'test' = 'live'): Promise<SvcAt> {
    const simulation = await simulateAlone(options)
    return new SvcAt(simulation, simulation[mode])
  }

  private constructor(
    readonly simulation: Simulation,
    readonly client: Client,
  ) {}

  get env() {
    const { key_id, secret } = this.client.key
    return { SVC_BASE_URL: this.simulation.baseUrl, SVC_KEY_ID: key_id, SVC_SECRET: secret }
  }

  run(args: readonly string[], words: Words = {}): Promise<Ran> {
    return this.svc.run(args, { ...words, env: { ...this.env, ...words.env } })
  }

  /** Its output. Fails the test if the command fails. */
  async text(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args)
    expect({ code, stderr: code === 0 ? '' : stderr }, args.join(' ')).toEqual({ code: 0, stderr: '' })
    return stdout
  }

  /** The `data` of its JSON output. */
  async data<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    return (JSON.parse(await this.text(...args, '--json')) as { data: T }).data
  }
}
