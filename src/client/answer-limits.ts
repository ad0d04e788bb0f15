/** Limits on the size and the duration of a service's answer. */
import { ConnectionError, NotTheApiError } from './errors.js'
import type { HttpAnswer } from './http.js'
import { systemClock } from './system-clock.js'

/** 64 MB. A page of any list is far smaller. */
export const answerBytesMax = 64 * 1024 * 1024
/** Default time for one whole answer, from the request to the last byte. `SVC_TIMEOUT` overrides it. */
export const answerWithinMs = 300_000
/** A download must bring at least this much in that time. A download that drips is ended. */
const downloadBytesMin = 64 * 1024
/** 2 GB. A file without an end would fill the disk. */
const downloadBytesMax = 2 * 1024 * 1024 * 1024

/** The longest delay that a timer takes. */
const longestTimerMs = 2 ** 31 - 1

/**
 * Reads the whole body as text. Throws `NotTheApiError` if it is too long, and the signal's reason if it is aborted.
 */
export async function textOf(
  { status, headers, body }: HttpAnswer,
  origin: string,
  limit?: AbortSignal,
): Promise<string> {
  const tooLong = () => new NotTheApiError(status, origin, `a body of more than ${answerBytesMax / 1024 / 1024} MB`)
  const parts: Buffer[] = []
  let length = 0
  const stop = () => body.destroy(limit?.reason as Error)
  limit?.addEventListener('abort', stop, { once: true })
  try {
    for await (const part of body as AsyncIterable<Buffer>) {
      length += part.length
      if (length > answerBytesMax || Number(headers['content-length']) > answerBytesMax) throw tooLong()
      parts.push(part)
    }
  } finally {
    limit?.removeEventListener('abort', stop)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}

/**
 * Aborts `work` when it takes longer than `ms` in all; 0 means no limit. The signal for `work` also follows `signal`.
 */
export async function within<T>(
  { ms, origin, signal }: { ms: number; origin: string; signal?: AbortSignal | undefined },
  work: (signal: AbortSignal | undefined) => Promise<T>,
): Promise<T> {
  if (ms === 0) return work(signal)
  const late = new AbortController()
  const giveUp = () => late.abort(tooSlow(origin, `did not finish its answer within ${ms / 1000} s`))
  const timer = setTimeout(giveUp, Math.min(ms, longestTimerMs))
  try {
    return await work(signal ? AbortSignal.any([signal, late.signal]) : late.signal)
  } catch (error) {
    throw late.signal.aborted && !signal?.aborted ? late.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}

/** Passes on the parts of a download while they arrive fast enough and stay below the size limit. */
export async function* limitedParts(
  parts: AsyncIterable<Uint8Array>,
  { origin, ms = answerWithinMs, bytesMax = downloadBytesMax }: { origin: string; ms?: number; bytesMax?: number },
): AsyncGenerator<Uint8Array> {
  let [total, recent, since] = [0, 0, systemClock.now()]
  for await (const part of parts) {
    total += part.length
    recent += part.length
    if (total > bytesMax) throw new NotTheApiError(200, origin, `a file of more than ${bytesMax / 1024 / 1024} MB`)
    if (ms > 0 && systemClock.now() - since >= ms) {
      if (recent < downloadBytesMin) throw tooSlow(origin, `sent less than 64 KB in ${ms / 1000} s`)
      ;[recent, since] = [0, systemClock.now()]
    }
    yield part
  }
}

const tooSlow = (origin: string, explanation: string) =>
  new ConnectionError(origin, 'ANSWER_TOO_SLOW', explanation, null)
