/** Answers of a service that have no end, or come drop by drop. */
import type { ServerResponse } from 'node:http'

export const block = Buffer.alloc(1024 * 1024, ' ')

/** Sends until the reader stops. */
export function endless(response: ServerResponse, type = 'application/json', text: Buffer = block): void {
  response.writeHead(200, { 'content-type': type })
  response.write('{"data":[')
  const go = (): void => {
    while (!response.destroyed && response.write(text)) continue
  }
  response.on('drain', go)
  go()
}

/** Sends a space now and then, so that no silence is ever long. */
export function dripping(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.on('close', () => clearInterval(timer))
}
