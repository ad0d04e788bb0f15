/** Checks whether the API answers at an address, without sending a key. */
import { ApiError } from './errors.js'
import { sendOnce } from './exchange.js'
import { systemClock } from './system-clock.js'
import { readReply } from './reply.js'

/** Gives the headers of the answer. Throws `ConnectionError`, or `NotTheApiError` if another server answers. */
export async function probe(baseUrl: string, totalMs?: number): Promise<Readonly<Record<string, string>>> {
  const url = new URL(`${baseUrl}/campaigns?limit=1`)
  const answer = await sendOnce({
    method: 'GET',
    url,
    headers: { Accept: 'application/json' },
    timeoutMs: 10_000,
    totalMs,
  })
  try {
    readReply(answer, url.origin, systemClock.now())
  } catch (error) {
    // The API's own 401 proves that it is there.
    if (!(error instanceof ApiError)) throw error
  }
  return answer.headers
}
