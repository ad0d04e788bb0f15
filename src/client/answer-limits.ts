/** Limits on what a service may answer: in bytes, and in time. */
import { ConnectionError, NotTheApiError } from './errors.js'
import type { HttpAnswer } from './http.js'
import { systemClock } from './system-clock.js'

/** 64 MB: far more than a page of any list. */
export const answerBytesMax = 64 * 1024 * 1024
/** How long one answer may take from the request to its end, unless `SVC_TIMEOUT` says otherwise. */
export const answerWithinMs = 300_000
/** The least that a download must bring in that time, so that one that drips ends. */
const downloadBytesMin = 64 * 1024
/** 2 GB. A file of which the service never sends the end would fill the disk. */
const downloadBytesMax = 2 * 1024 * 1024 * 1024

/** The longest a timer can run. */
const longestTimerMs = 2 ** 31 - 1

/** The whole body as text. Throws `NotTheApiError` for one that is too long, and the reason of the signal. */
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

/** Ends what takes longer than `ms` in all; 0: any time. `work` gets a signal that also follows `signal`. */
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

/** The parts of a download, as long as they come fast enough and not without end. */
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
