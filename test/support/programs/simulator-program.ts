/** Runs a simulator in a separate process, with options as JSON, and prints its address. */
import { startSimulator, type SimulatorOptions } from '../../../simulator/index.js'
import { systemClock } from '../../../simulator/kernel/system-clock.js'

/** With `standing`, no timer fires, so that no due task starts. */
const { standing = false, ...options } = JSON.parse(process.argv[2] ?? '{}') as SimulatorOptions & {
  standing?: boolean
}
const deaf = { ...systemClock, after: () => ({ cancel: () => undefined }) }
const { url } = await startSimulator({ ...options, ...(standing && { machine: deaf }) })
process.stdout.write(`${url}\n`)
