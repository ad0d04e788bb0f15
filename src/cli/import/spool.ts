/**
 * Private copy of the import file, made before anything is sent. It allows reading standard input twice, and
 * editing the original during a long import cannot mix rows.
 */
import { createHash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { TextDecoder } from 'node:util'
import { inputStream, describeReadFailure } from '../input/stdin.js'

const pieceBytes = 65_536

export class Spool {
  readonly #file: FileHandle
  /** Size of the content. */
  readonly bytes: number
  /** Digest of the content. It identifies the file independent of its name. */
  readonly digest: string
  /** First bytes, for detecting the file type. */
  readonly head: Buffer
  /** True if the whole file is UTF-8. */
  readonly isUtf8: boolean

  /** Reads a file, or standard input for `-`, to its end. Throws `UsageError` if it cannot be read. */
  static async of(name: string, stdin: Readable & { isTTY?: boolean }, folder: string): Promise<Spool> {
    const path = join(folder, `${randomUUID()}.tmp`)
    const file = await open(path, 'wx+', 0o600)
    // The file is unlinked at once, so it disappears when the program ends. Windows keeps the name until it is closed.
    rmSync(path, { force: true })
    try {
      // Open it only now: a stream error without a reader would crash the program.
      return await copyToSpool(name, inputStream(name, stdin), file)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  constructor(file: FileHandle, { bytes, digest, head, isUtf8 }: Copy) {
    this.#file = file
    this.bytes = bytes
    this.digest = digest
    this.head = head
    this.isUtf8 = isUtf8
  }

  /** Streams the content from the start. */
  async *pieces(): AsyncGenerator<Buffer> {
    for (let at = 0; at < this.bytes;) {
      const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafe(pieceBytes), 0, pieceBytes, at)
      if (bytesRead === 0) return
      at += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  }

  /** The whole content. */
  async content(): Promise<Buffer> {
    const pieces: Buffer[] = []
    for await (const piece of this.pieces()) pieces.push(piece)
    return Buffer.concat(pieces)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

interface Copy {
  bytes: number
  digest: string
  head: Buffer
  isUtf8: boolean
}

async function copyToSpool(name: string, input: Readable, file: FileHandle): Promise<Spool> {
  const hash = createHash('sha256')
  const utf8 = new Utf8Test()
  let head = Buffer.alloc(0)
  let bytes = 0
  for await (const piece of readPieces(name, input)) {
    hash.update(piece)
    utf8.take(piece)
    if (head.length < 4096) head = Buffer.concat([head, piece]).subarray(0, 4096)
    await file.writeFile(piece)
    bytes += piece.length
  }
  return new Spool(file, { bytes, digest: hash.digest('hex'), head, isUtf8: utf8.passed() })
}

async function* readPieces(name: string, input: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const piece of input) yield piece as Buffer
  } catch (error) {
    throw describeReadFailure(name, error)
  }
}

/** Checks streamed bytes for invalid UTF-8. */
class Utf8Test {
  #decoder: TextDecoder | undefined = new TextDecoder('utf-8', { fatal: true })

  take(piece: Buffer): void {
    this.#try((decoder) => decoder.decode(piece, { stream: true }))
  }

  passed(): boolean {
    this.#try((decoder) => decoder.decode())
    return this.#decoder !== undefined
  }

  #try(decode: (decoder: TextDecoder) => string): void {
    try {
      if (this.#decoder) decode(this.#decoder)
    } catch {
      this.#decoder = undefined
    }
  }
}
