/** Asks whether the API is at an address, without showing it a key. */
import { ApiError } from './errors.js'
import { sendOnce } from './exchange.js'
import { systemClock } from './system-clock.js'
import { readReply } from './reply.js'

/** The headers of the answer. Throws `ConnectionError`, and `NotTheApiError` where something else answers. */
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
    // It asks for a key, in the words of the API.
    if (!(error instanceof ApiError)) throw error
  }
  return answer.headers
}
