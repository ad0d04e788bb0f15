/** Prevents two simultaneous runs of one import. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { withFileLock } from '../../config/file-lock.js'
import { isRunning } from '../base/running-process.js'
import { UsageError } from '../errors/usage-error.js'

/**
 * Takes the lock at a path and returns the function that releases it. Throws `UsageError` while a running process
 * holds it.
 */
export function lockImport(path: string): () => void {
  // Only one process at a time reads the owner and writes itself, so that two cannot take over the same stale lock.
  withFileLock(`${path}.taking`, () => {
    refuseRunning(path)
    writeFileSync(path, String(process.pid), { mode: 0o600 })
  })
  return () => rmSync(path, { force: true })
}

function refuseRunning(path: string): void {
  const owner = ownerOf(path)
  if (owner === undefined || !isRunning(owner)) return
  throw new UsageError(
    `This import is under way already, as process ${owner}.`,
    `Wait until it ends, or stop it. If that process is not an import: rm ${path}`,
  )
}

/** Undefined where no other process holds the lock. */
function ownerOf(path: string): number | undefined {
  try {
    const owner = Number(readFileSync(path, 'utf8'))
    return owner > 0 && owner !== process.pid ? owner : undefined
  } catch {
    return undefined
  }
}
