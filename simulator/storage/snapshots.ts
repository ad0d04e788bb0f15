/** Stores snapshots outside the database, so that a reset or a restore does not delete them. */
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
  /** The simulated time of the snapshot. */
  now: Instant
  /** The time of the machine when it was saved. Null if the file does not say. */
  savedAt: Instant | null
}

/** The snapshot file was truncated or changed. */
export class DamagedSnapshot extends Error {
  override name = 'DamagedSnapshot'
}

export interface SnapshotStore {
  /** Sorted by name. */
  all(): Snapshot[]
  /** Replaces a snapshot of the same name. */
  put(snapshot: Snapshot, image: Buffer): void
  /** The database image; null if there is no snapshot of that name. Throws `DamagedSnapshot`. */
  image(name: string): Buffer | null
  /** Returns the removed snapshot, or null if there was none. */
  remove(name: string): Snapshot | null
}

const sortByName = (a: Snapshot, b: Snapshot) => (a.name < b.name ? -1 : 1)

/** Snapshots of a database in memory. They end with the program. */
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

/** The content of a file's first line. */
interface Label extends Snapshot {
  sha256: string
}
/** Longer than any first line. A name has at most 100 characters. */
const firstLineBytes = 2_048

/**
 * Snapshots as files in a folder next to the data file. Each has a first line that describes it, then the database
 * image. They hold secrets, as the data file does.
 */
export class FolderSnapshots implements SnapshotStore {
  constructor(readonly folder: string) {}

  all(): Snapshot[] {
    if (!existsSync(this.folder)) return []
    const files = readdirSync(this.folder).filter((file) => file.endsWith(ending))
    // A file without a readable first line is not a snapshot.
    return files.flatMap((file) => readLabel(join(this.folder, file)) ?? []).sort(sortByName)
  }

  /** Throws `StoreError` if the disk fails. An existing snapshot of the same name then stays unchanged. */
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
    const { now = 0 as Instant, savedAt = null } = readLabel(path) ?? {}
    rmSync(path)
    return { name, now, savedAt }
  }

  /**
   * The file name is a hash, because a name may be long, contain any character, or differ from another only in case.
   */
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

/** Null if the first line cannot be read. */
function readLabel(path: string): Label | null {
  const bytes = Buffer.alloc(firstLineBytes)
  const file = openSync(path, 'r')
  try {
    const read = readSync(file, bytes)
    const label = JSON.parse(bytes.toString('utf8', 0, Math.min(read, bytes.indexOf('\n')))) as Label
    return { ...label, savedAt: label.savedAt ?? null }
  } catch {
    return null
  } finally {
    closeSync(file)
  }
}
