/** The simulator as it is started by hand, without limits a minute, for a benchmark to load. */
import { startSimulator } from '../simulator/index.js'

const [data = ':memory:'] = process.argv.slice(2)
const simulator = await startSimulator({ data, limits: false, paused: true, now: '2026-10-01T15:00:00Z' })
const { keys, campaigns } = simulator.describe()
const secret = keys.find(({ mode }) => mode === 'live')?.secret
process.stdout.write(
  `${JSON.stringify({ url: simulator.url, baseUrl: simulator.baseUrl, secret, campaign: campaigns[0]?.id })}\n`,
)
