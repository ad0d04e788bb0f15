/** Reads the part of a receiver's response that is kept with the delivery (rule W12). */
import { deliveryResponseBytes } from '../../../src/contract/limits.js'

/**
 * Reads the first 4,096 bytes as UTF-8. A longer body is cut at a whole character and its rest is never read. Invalid
 * UTF-8 becomes replacement characters. A body that breaks off gives the part before.
 */
export async function readExcerpt(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= deliveryResponseBytes) break
    }
  } catch {
    // The status line and headers are the response. A broken body does not change the result.
  }
  if (length === 0) return ''
  const kept = Buffer.concat(chunks).subarray(0, deliveryResponseBytes)
  // In stream mode, the decoder leaves out an incomplete last character.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept, { stream: length >= deliveryResponseBytes })
}
