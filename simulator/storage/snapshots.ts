/** Where snapshots are kept: outside the store, so that no reset and no restore takes them along. */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Instant } from '../kernel/instant.js'
import { describeStoreError } from './store-error.js'

export interface Snapshot {
  name: string
  /** What the clock showed. */
  now: Instant
}

/** What was saved is not what is there: the file was cut short, or changed. */
export class DamagedSnapshot extends Error {
  override name = 'DamagedSnapshot'
}

export interface SnapshotStore {
  /** By name. */
  all(): Snapshot[]
  /** One of the same name is replaced. */
  put(snapshot: Snapshot, image: Buffer): void
  /** The store's image; null when there is none of that name. Throws `DamagedSnapshot`. */
  image(name: string): Buffer | null
  /** Null when there was none. */
  remove(name: string): Snapshot | null
}

const sortByName = (a: Snapshot, b: Snapshot) => (a.name < b.name ? -1 : 1)

/** For a store in memory: it ends with the program. */
export class MemorySnapshots implements SnapshotStore {
  readonly #kept = new Map<string, { snapshot: Snapshot; image: Buffer }>()

  all(): Snapshot[] {
    return [...this.#kept.values()].map(({ snapshot }) => snapshot).sort(sortByName)
  }

  put(snapshot: Snapshot, image: Buffer): void {
    this.#kept.set(snapshot.name, { snapshot, image })
  }

  image(name: string): Buffer | null {
    return this.#kept.get(name)?.image ?? null
  }

  remove(name: string): Snapshot | null {
    const kept = this.#kept.get(name)
    this.#kept.delete(name)
    return kept?.snapshot ?? null
  }
}

const ending = '.snapshot'
const hashImage = (image: Buffer): string => createHash('sha256').update(image).digest('hex')

/** What the first line of a file says of it. */
interface Label extends Snapshot {
  sha256: string
}
/** Longer than any first line: a name has 100 characters at most. */
const firstLineBytes = 2_048

/** Files in a folder beside the store's own, each a line that says what it is, and the image. They hold secrets, as the store does. */
export class FolderSnapshots implements SnapshotStore {
  constructor(readonly folder: string) {}

  all(): Snapshot[] {
    if (!existsSync(this.folder)) return []
    const files = readdirSync(this.folder).filter((file) => file.endsWith(ending))
    // A file that says nothing of itself is none of ours.
    return files.flatMap((file) => readLabel(join(this.folder, file)) ?? []).sort(sortByName)
  }

  /** Throws `StoreError` where the disk does not take it: then one of the same name is as it was. */
  put(snapshot: Snapshot, image: Buffer): void {
    const path = this.#path(snapshot.name)
    const label: Label = { ...snapshot, sha256: hashImage(image) }
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 })
      writeFileDurably(`${path}.new`, `${JSON.stringify(label)}\n`, image)
      renameSync(`${path}.new`, path)
    } catch (error) {
      rmSync(`${path}.new`, { force: true })
      throw describeStoreError(path, error)
    }
  }

  image(name: string): Buffer | null {
    const path = this.#path(name)
    if (!existsSync(path)) return null
    const bytes = readFileSync(path)
    const image = bytes.subarray(bytes.indexOf('\n') + 1)
    if (readLabel(path)?.sha256 !== hashImage(image)) throw new DamagedSnapshot(`The snapshot ${name} is damaged.`)
    return image
  }

  remove(name: string): Snapshot | null {
    const path = this.#path(name)
    if (!existsSync(path)) return null
    const now = readLabel(path)?.now ?? (0 as Instant)
    rmSync(path)
    return { name, now }
  }

  /** A name may hold anything, be long, or differ from another in its case alone: it is no file name. */
  #path(name: string): string {
    return join(this.folder, createHash('sha256').update(name).digest('hex').slice(0, 32) + ending)
  }
}

function writeFileDurably(path: string, firstLine: string, image: Buffer): void {
  const file = openSync(path, 'w', 0o600)
  try {
    writeSync(file, firstLine)
    for (let written = 0; written < image.length;) written += writeSync(file, image, written)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Null where the first line cannot be read. */
function readLabel(path: string): Label | null {
  const bytes = Buffer.alloc(firstLineBytes)
  const file = openSync(path, 'r')
  try {
    const read = readSync(file, bytes)
    return JSON.parse(bytes.toString('utf8', 0, Math.min(read, bytes.indexOf('\n')))) as Label
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
