/** The built simulator as it is started by hand, without limits a minute, for a benchmark to load. */
import type { Simulator, SimulatorOptions } from '../simulator/index.js'

const built = new URL('../dist/simulator/index.js', import.meta.url).href
const { startSimulator } = (await import(built)) as {
  startSimulator: (options: SimulatorOptions) => Promise<Simulator>
}

const [data = ':memory:', how = 'paused'] = process.argv.slice(2)
const paused = how === 'paused'
const start = paused ? { now: '2026-10-01T08:00:00Z' } : {}
const simulator = await startSimulator({ data, limits: false, paused, allowLocalWebhooks: true, ...start })
process.stdout.write(`${simulator.url}\n`)
