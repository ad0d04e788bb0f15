/** Runs a simulator in a process of its own, with the options it is given as JSON, and prints its address when it is ready. */
import { startSimulator, type SimulatorOptions } from '../../simulator/index.js'

const [options = '{}'] = process.argv.slice(2)
const { url } = await startSimulator(JSON.parse(options) as SimulatorOptions)
process.stdout.write(`${url}\n`)
