/** Advances a simulator's clock and shows the progress. The control plane keeps answering during an advance. */
import type { Client } from '../../client/client.js'
import type { SystemClock } from '../../client/system-clock.js'
import type { Control } from '../../contract/control.js'
import type { ClockAdvance } from '../../contract/control/clock.js'
import { advanceWithinDays } from '../../contract/limits.js'
import type { Progress, Step } from '../../output/progress.js'
import { durationMs } from '../base/flags.js'

export interface AdvanceOptions {
  progress: (what: string) => Progress
  machine: Pick<SystemClock, 'sleep'>
  /** Abort it to stop the advance at the current simulated time. */
  signal: AbortSignal
}

const lookEveryMs = 500

/** Maximum length of the advance, in milliseconds from `now`. */
function lengthOf({ by, to, within }: ClockAdvance, now: number): number {
  if (to !== undefined) return Date.parse(to) - now
  return durationMs(String(by ?? within ?? `${advanceWithinDays}d`), '--within')
}

const units: readonly (readonly [what: string, ms: number])[] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
  ['seconds', 1_000],
]

/** Throws the abort reason of the signal. */
export async function advanceClock(
  control: Client<Control>,
  body: ClockAdvance,
  { progress, machine, signal }: AdvanceOptions,
): Promise<Awaited<ReturnType<typeof describeAdvance>>> {
  const from = await formatClock(control)
  const total = lengthOf(body, from)
  const [what, unitMs] = units.find(([, ms]) => total >= 2 * ms) ?? (['seconds', 1_000] as const)
  const bar = progress(what)
  const step = (done: number): Step => ({ done: Math.floor(done / unitMs), total: Math.floor(total / unitMs) })
  // Ends the current sleep, so that a finished advance returns at once.
  const over = new AbortController()
  const advancing = describeAdvance(control, body, signal).finally(() => over.abort())
  // The error is reported where the promise is awaited.
  advancing.catch(() => undefined)
  const nap = () => machine.sleep(lookEveryMs, over.signal).catch(() => undefined)
  try {
    for (await nap(); !over.signal.aborted; await nap()) bar.update(step((await formatClock(control)) - from))
    return await advancing
  } finally {
    bar.clear()
  }
}

const describeAdvance = (control: Client<Control>, body: ClockAdvance, signal: AbortSignal) =>
  // An advance by a month takes as long as it takes. The clock, which is read meanwhile, shows whether the simulator still answers.
  control.call('advanceClock', { body }, { signal, timeoutMs: 0 })

const formatClock = async (control: Client<Control>): Promise<number> =>
  Date.parse((await control.call('getClock', {})).body.data.now)
