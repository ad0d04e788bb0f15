/** A lock between processes, as a file that exists while one of them holds it. */
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'

const waitMs = 10
/** Work under a lock takes milliseconds. After 5 seconds the holder must have stopped. */
const longestWaits = 500

/** Runs the work while no other process holds the lock of this path. Blocks until the lock is free. */
export function withFileLock<T>(path: string, work: () => T): T {
  const holder = `${process.pid} ${hostname()} ${crypto.randomUUID()}`
  acquire(path, holder)
  try {
    return work()
  } finally {
    if (holderOf(path) === holder) rmSync(path, { force: true })
  }
}

function acquire(path: string, holder: string): void {
  let seen: string | undefined
  for (let waits = 0; !createLock(path, holder); waits++) {
    const current = holderOf(path)
    if (current !== seen) [seen, waits] = [current, 0]
    if (current !== undefined && (hasEnded(current) || waits >= longestWaits)) removeStale(path, current)
    else sleep(waitMs)
  }
}

/** False if the file exists. */
function createLock(path: string, holder: string): boolean {
  // Written under another name first, so that no process reads half of it.
  const own = `${path}.${crypto.randomUUID()}`
  try {
    const file = openSync(own, 'wx', 0o600)
    try {
      writeSync(file, holder)
    } finally {
      closeSync(file)
    }
    linkSync(own, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(own, { force: true })
  }
}

/** Undefined if no process holds the lock. Throws if the file belongs to another user or is not a lock. */
function holderOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EISDIR' || (code === 'EACCES' && process.platform !== 'win32'))
      throw new Error(`${path} is in the way and cannot be read`, { cause: error })
    return undefined
  }
}

/** Whether the holder was a process of this machine that has ended. */
function hasEnded(holder: string): boolean {
  const [pid, host] = holder.split(' ')
  if (host !== hostname() || !/^\d+$/.test(pid ?? '')) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH'
  }
}

/** Removes the lock of an ended process. Another process may have removed it already and hold the lock now. */
function removeStale(path: string, holder: string): void {
  const moved = `${path}.${crypto.randomUUID()}`
  try {
    renameSync(path, moved)
  } catch {
    return
  }
  try {
    if (holderOf(moved) !== holder) linkSync(moved, path)
  } catch {
    // A third process holds the lock now.
  } finally {
    rmSync(moved, { force: true })
  }
}

function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}
