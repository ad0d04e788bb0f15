/** Signal handling for commands that must finish work before they exit. */
import { constants } from 'node:os'

/** Aborts the returned signal at the first SIGINT, SIGTERM or SIGHUP, with the exit code as the reason. A second signal exits at once. */
export function waitForInterrupt(): AbortSignal {
  const interrupted = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      process.once(signal, () => process.exit(codeOf(signal)))
      interrupted.abort(codeOf(signal))
    })
  }
  return interrupted.signal
}

/** The exit code of a command that `waitForInterrupt` has ended: 130 for SIGINT, 143 for SIGTERM. */
export const exitCodeOfSignal = (interrupted: AbortSignal): number => Number(interrupted.reason)

const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
