/** Signal handling for commands that must finish work before they exit. */
import { constants } from 'node:os'
import { exitCodes } from '../errors/exit-codes.js'

/** Aborts the returned signal at the first SIGINT, SIGTERM or SIGHUP, with the exit code as the reason. A second signal exits at once. */
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
