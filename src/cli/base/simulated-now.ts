/** Reads the clock of a simulator. Tables show times relative to it instead of to the clock of this machine. */
import type { sendOnce } from '../../client/exchange.js'
import { simulatorRoot, urlOf } from '../../url.js'

/** A simulator on this machine answers in a few milliseconds. */
const answerWithinMs = 300

/** Returns milliseconds since the epoch, or undefined if no simulator answers. Tries only http: addresses, because a simulator has no https:. */
export async function simulatedNow(baseUrl: string, ask: typeof sendOnce): Promise<number | undefined> {
  const base = urlOf(baseUrl)
  if (base?.protocol !== 'http:') return undefined
  try {
    const url = new URL(`${simulatorRoot(new URL(base))}/_sim/clock`)
    const headers = { Accept: 'application/json' }
    const { status, text } = await ask({
      method: 'GET',
      url,
      headers,
      timeoutMs: answerWithinMs,
      totalMs: answerWithinMs,
    })
    const now = status === 200 ? Date.parse((JSON.parse(text) as { data: { now: string } }).data.now) : NaN
    return Number.isNaN(now) ? undefined : now
  } catch {
    return undefined
  }
}
