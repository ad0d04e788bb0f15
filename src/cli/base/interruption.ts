/** Ctrl-C, and being asked to end: for what has something to finish before it does. */
import { constants } from 'node:os'
import { exitCodes } from '../errors/exit-codes.js'

/** The signal is aborted at the first, with its exit code as the reason; a second Ctrl-C ends the program at once. */
export function waitForInterrupt(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(exitCodes.interrupted))
      interrupted.abort(128 + constants.signals[signal])
    })
  }
  return interrupted.signal
}
