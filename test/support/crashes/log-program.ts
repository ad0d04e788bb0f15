/** Runs a simulator in a separate process and prints its address. */
import { startSimulator } from '../../../simulator/index.js'

const simulator = await startSimulator({ limits: false })
process.stdout.write(`${simulator.baseUrl}\n`)
