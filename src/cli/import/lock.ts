/** Prevents two simultaneous runs of one import. */
import { randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isRunning } from '../base/running-process.js'
import { UsageError } from '../errors/usage-error.js'

/**
 * Takes the lock at a path and returns the function that releases it. Throws `UsageError` while a running process
 * holds it.
 */
export function lockImport(path: string): () => void {
  // Written first, then linked: a lock file without its owner would look abandoned.
  const own = `${path}.${randomUUID()}`
  writeFileSync(own, String(process.pid), { mode: 0o600, flag: 'wx' })
  try {
    while (!isLinked(own, path)) removeStale(path)
  } finally {
    rmSync(own, { force: true })
  }
  return () => rmSync(path, { force: true })
}

function isLinked(own: string, path: string): boolean {
  try {
    linkSync(own, path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

/**
 * Removes the lock of a process that has ended. Moves it away first, which only one process can do, and checks it
 * again, because another process may have replaced it in between. If so, puts it back.
 */
function removeStale(path: string): void {
  refuseRunning(path, path)
  const aside = `${path}.${randomUUID()}`
  try {
    renameSync(path, aside)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return
    throw error
  }
  try {
    refuseRunning(aside, path)
  } catch (error) {
    isLinked(aside, path)
    throw error
  } finally {
    rmSync(aside, { force: true })
  }
}

function refuseRunning(at: string, path: string): void {
  const owner = ownerOf(at)
  if (owner === undefined || !isRunning(owner)) return
  throw new UsageError(
    `This import is under way already, as process ${owner}.`,
    `Wait until it ends, or stop it. If that process is not an import: rm ${path}`,
  )
}

function ownerOf(path: string): number | undefined {
  try {
    const owner = Number(readFileSync(path, 'utf8'))
    return owner > 0 && owner !== process.pid ? owner : undefined
  } catch {
    return undefined
  }
}
