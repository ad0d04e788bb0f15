/** The beginning of a receiver's answer, as much as the log of deliveries keeps (specification, Limits). */
import { deliveryResponseBytes } from '../../../src/contract/limits.js'

/**
 * Reads the first 4,096 bytes as UTF-8: cut at a whole character where there is more, with replacement characters for what is
 * no UTF-8. A body that breaks off gives what came before; the rest of a longer one is never read.
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
    // The status line and headers were the answer; a broken body changes nothing about it.
  }
  const kept = Buffer.concat(chunks).subarray(0, deliveryResponseBytes)
  // A decoder that expects more holds back a character whose end is missing.
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(kept, { stream: length >= deliveryResponseBytes })
}
