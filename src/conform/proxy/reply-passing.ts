/** Passes a reply to the client while it arrives, and keeps its body for the check. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { forwardedHeaders } from './forwarded-headers.js'
import { replyBytesMax } from './forwarding.js'
import { KeptBody } from './kept-body.js'

export interface PassedReply {
  /** The body; null if it was too long to keep. */
  bytes: Buffer | null
  /** Why the client did not get the whole reply. */
  error?: string | undefined
}

/** The beginning of a reply that was read before the client gets any of it. */
export interface ReadReply {
  /** The whole body; null if it goes on. */
  bytes: Buffer | null
  /** The part that was read. */
  chunks: readonly Buffer[]
  isBroken: boolean
}

/** Reads a reply up to the limit, in strict mode. A stream of events has no end, so none of it is read. */
export async function readReply(reply: IncomingMessage): Promise<ReadReply> {
  const chunks: Buffer[] = []
  let length = 0
  if (/^text\/event-stream\b/.test(reply.headers['content-type'] ?? '')) return { bytes: null, chunks, isBroken: false }
  try {
    for await (const chunk of reply.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      length += chunk.length
      if (length > replyBytesMax) return { bytes: null, chunks, isBroken: false }
    }
  } catch {
    return { bytes: null, chunks, isBroken: true }
  }
  return { bytes: Buffer.concat(chunks), chunks, isBroken: false }
}

/** Sends the head and the body of a reply, the part that was read first. Waits when the client reads slowly. */
export async function passReply(
  reply: IncomingMessage,
  response: ServerResponse,
  read?: ReadReply,
): Promise<PassedReply> {
  const { statusCode = 502, statusMessage, rawHeaders } = reply
  response.sendDate = false
  response.writeHead(statusCode, statusMessage, forwardedHeaders(rawHeaders))
  response.flushHeaders()
  const kept = new KeptBody(replyBytesMax)
  try {
    for (const chunk of read?.chunks ?? []) await write(response, chunk, kept)
    if (read?.isBroken) throw new Error('broken off')
    if (!read?.bytes) {
      for await (const chunk of reply as AsyncIterable<Buffer>) await write(response, chunk, kept)
    }
  } catch {
    // The client must see that the reply is not whole.
    const isGone = response.destroyed
    response.destroy()
    return { bytes: null, error: isGone ? 'The client closed the connection.' : 'The deployment broke off its reply.' }
  }
  response.end()
  return { bytes: kept.bytes }
}

async function write(response: ServerResponse, chunk: Buffer, kept: KeptBody): Promise<void> {
  if (response.destroyed) throw new Error('the client is gone')
  kept.add(chunk)
  if (!response.write(chunk)) await roomIn(response)
}

/** Resolves when the client has read on, or is gone. */
function roomIn(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}
