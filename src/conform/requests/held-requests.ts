/** Requests that stay under way: their bodies are not sent to the end. */
import http from 'node:http'
import https from 'node:https'

export interface HeldRequests {
  /** Ends them all without an answer. */
  release: () => void
}

/** Opens requests and resolves when the beginning of each was sent. */
export async function holdRequests(count: number, url: URL, headers: Record<string, string>): Promise<HeldRequests> {
  const agent =
    url.protocol === 'https:' ? new https.Agent({ maxSockets: count }) : new http.Agent({ maxSockets: count })
  const send = url.protocol === 'https:' ? https.request : http.request
  const requests = Array.from({ length: count }, () => {
    const request = send(url, {
      method: 'POST',
      agent,
      headers: { ...headers, 'Content-Type': 'application/json', 'Content-Length': '64' },
    })
    // Releasing them is an error for each.
    request.on('error', () => {}).on('response', (response) => response.resume())
    return request
  })
  const begun = requests.map(
    (request) => new Promise<void>((resolve) => request.once('close', resolve).write('{', () => resolve())),
  )
  await Promise.all(begun)
  return {
    release: () => {
      for (const request of requests) request.destroy()
      agent.destroy()
    },
  }
}
