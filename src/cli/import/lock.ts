/** Keeps two runs of one import from going on at the same time. */
import { openSync, closeSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { isRunning } from '../running-process.js'
import { UsageError } from '../usage-error.js'

/** Takes the lock at a path; the answer gives it back. Throws `UsageError` while a run that lives has it. */
export function lock(path: string): () => void {
  try {
    const file = openSync(path, 'wx', 0o600)
    writeSync(file, String(process.pid))
    closeSync(file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const owner = ownerOf(path)
    if (owner !== undefined && isRunning(owner)) {
      throw new UsageError(
        `This import is under way already, as process ${owner}.`,
        `Let it end, or stop it first. If it is none of yours: rm ${path}`,
      )
    }
    // Whoever took it was killed.
    rmSync(path, { force: true })
    return lock(path)
  }
  return () => rmSync(path, { force: true })
}

function ownerOf(path: string): number | undefined {
  try {
    const owner = Number(readFileSync(path, 'utf8'))
    return owner > 0 && owner !== process.pid ? owner : undefined
  } catch {
    return undefined
  }
}
