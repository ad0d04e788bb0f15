/** Reads what comes in on standard input, to its end, however slowly it comes. */
import { createReadStream } from 'node:fs'
import { resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Readable } from 'node:stream'
import { UsageError } from '../errors/usage-error.js'

/** The bytes of a file, or of standard input for `-`. */
export async function readInput(name: string, stdin: Readable & { isTTY?: boolean }): Promise<Buffer> {
  try {
    return await buffer(inputStream(name, stdin))
  } catch (error) {
    throw describeReadFailure(name, error)
  }
}

/** The same as a stream, for what may be larger than memory. */
export function inputStream(name: string, stdin: Readable & { isTTY?: boolean }): Readable {
  if (name !== '-') return createReadStream(resolve(name))
  if (stdin.isTTY) throw new UsageError('Nothing comes in on standard input.', 'Pipe something in, or name a file.')
  return stdin
}

export function describeReadFailure(name: string, error: unknown): Error {
  if (error instanceof UsageError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
  const why = code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
  return new UsageError(`${name} cannot be read: ${why}.`)
}
