/** A disk after a power cut: writes since the last sync may be there, missing, or torn. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What a program did, in order, as recorded by write-log.c. */
export type Deed =
  | { kind: 'write'; file: string; offset: number; bytes: Buffer }
  | { kind: 'truncate'; file: string; size: number }
  | { kind: 'sync'; file: string }
  | { kind: 'remove'; file: string }
  /** An HTTP reply about to be sent. */
  | { kind: 'answer'; text: string }

const headBytes = 17

export function readDeeds(log: Buffer): Deed[] {
  const deeds: Deed[] = []
  for (let at = 0; at < log.length;) {
    const kind = log.toString('latin1', at, at + 1)
    const nameEnd = at + headBytes + log.readUInt32LE(at + 1)
    const end = nameEnd + log.readUInt32LE(at + 5)
    const offset = Number(log.readBigUInt64LE(at + 9))
    const file = log.toString('utf8', at + headBytes, nameEnd)
    const bytes = log.subarray(nameEnd, end)
    if (kind === 'w') deeds.push({ kind: 'write', file, offset, bytes })
    else if (kind === 't') deeds.push({ kind: 'truncate', file, size: offset })
    else if (kind === 'a') deeds.push({ kind: 'answer', text: bytes.toString() })
    else deeds.push({ kind: kind === 's' ? 'sync' : 'remove', file })
    at = end
  }
  return deeds
}

type Change = Extract<Deed, { kind: 'write' | 'truncate' }>

interface File {
  /** Content that survives a power cut. */
  certain: Image
  /** Changes since the last sync, in order. */
  since: Change[]
}

/** A disk keeps or loses a sector as a whole. */
const sectorBytes = 512

/** Whether a change, or one of its sectors, reached the disk. */
export type Kept = () => boolean

export class Disk {
  readonly #files = new Map<string, File>()

  do(deed: Deed): void {
    if (deed.kind === 'answer') return
    if (deed.kind === 'remove') return void this.#files.delete(deed.file)
    const file = this.#files.get(deed.file) ?? { certain: new Image(), since: [] }
    this.#files.set(deed.file, file)
    if (deed.kind === 'sync') {
      for (const change of file.since.splice(0)) file.certain.apply(change)
    } else {
      file.since.push(deed)
    }
  }

  /** Whether a cut at this moment has only one possible result. */
  get isCertain(): boolean {
    return [...this.#files.values()].every(({ since }) => since.length === 0)
  }

  /** Writes into the folder what a power cut at this moment leaves. */
  cut(folder: string, isKept: Kept): void {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    for (const [path, { certain, since }] of this.#files) {
      const found = since.length === 0 ? certain : certain.copy()
      for (const change of since) for (const part of survivors(change, isKept)) found.apply(part)
      writeFileSync(join(folder, basename(path)), found.bytes)
    }
  }
}

function survivors(change: Change, isKept: Kept): Change[] {
  if (change.kind === 'truncate') return isKept() ? [change] : []
  const { file, offset, bytes } = change
  const parts: Change[] = []
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + sectorBytes - ((offset + from) % sectorBytes))
    if (isKept()) parts.push({ kind: 'write', file, offset: offset + from, bytes: bytes.subarray(from, to) })
    from = to
  }
  return parts
}

/** Content of a file, in a buffer that grows. */
class Image {
  #room = Buffer.alloc(4_096)
  #size = 0

  get bytes(): Buffer {
    return this.#room.subarray(0, this.#size)
  }

  copy(): Image {
    const copy = new Image()
    copy.#room = Buffer.from(this.#room)
    copy.#size = this.#size
    return copy
  }

  apply(change: Change): void {
    if (change.kind === 'truncate') return this.#resize(change.size)
    this.#resize(Math.max(this.#size, change.offset + change.bytes.length))
    change.bytes.copy(this.#room, change.offset)
  }

  /** Truncated content is gone, and new content is zero. */
  #resize(size: number): void {
    if (size > this.#room.length) this.#room = Buffer.concat([this.bytes, Buffer.alloc(2 * size - this.#size)])
    if (size < this.#size) this.#room.fill(0, size, this.#size)
    this.#size = size
  }
}
