/** The content of a body: decompressed, then read as text or JSON. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { headerOf, type HeaderMap } from './exchange.js'

/** A compressed body may be a thousand times larger than its bytes. */
const decodedBytesMax = 64 * 1024 * 1024

const limits = { maxOutputLength: decodedBytesMax }

/** Some servers send deflate without the zlib header. */
function inflateAny(bytes: Uint8Array): Buffer {
  try {
    return inflateSync(bytes, limits)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error
    return inflateRawSync(bytes, limits)
  }
}

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  gzip: (bytes) => gunzipSync(bytes, limits),
  'x-gzip': (bytes) => gunzipSync(bytes, limits),
  br: (bytes) => brotliDecompressSync(bytes, limits),
  deflate: inflateAny,
  identity: (bytes) => bytes,
}

export type Decoded = { bytes: Uint8Array } | { problem: string }

/** Undoes the encodings of Content-Encoding, the last one first. An empty body stays empty. */
export function decodeBody(bytes: Uint8Array, headers: HeaderMap): Decoded {
  const encodings = (headerOf(headers, 'content-encoding') ?? '').toLowerCase().split(/\s*,\s*/)
  let decoded = bytes
  for (const encoding of encodings.filter(Boolean).reverse()) {
    const decode = decoders[encoding]
    if (!decode) return { problem: `the body has the unknown Content-Encoding ${encoding.slice(0, 40)}` }
    try {
      if (decoded.length > 0) decoded = decode(decoded)
    } catch {
      return { problem: `the body cannot be decompressed as ${encoding}` }
    }
  }
  return { bytes: decoded }
}

/** Text in UTF-8; null if the bytes are not valid. */
export function readText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
