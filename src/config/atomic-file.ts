/**
 * Replaces a file whole or not at all. The new content is written to a file next to it, which is renamed when it is
 * complete. Its name is random, so that two writers never mix and no link that another user made is followed.
 */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open, rename, rm, type FileHandle } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

const ownerOnly = 0o600

const temporaryPath = (path: string): string => join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.part`)

/** Writes a text that only its owner can read. `isDurable` waits until the disk has it, so that it survives a power cut. */
export function replaceFile(path: string, text: string, { isDurable }: { isDurable: boolean }): void {
  const temporary = temporaryPath(path)
  try {
    const file = openSync(temporary, 'wx', ownerOnly)
    try {
      writeFileSync(file, text)
      if (isDurable) fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Like `replaceFile`, with content that arrives in parts. */
export async function replaceFileWith<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
  const temporary = temporaryPath(path)
  const file = await open(temporary, 'wx', ownerOnly)
  try {
    const result = await write(file)
    await file.close()
    await rename(temporary, path)
    return result
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(temporary, { force: true })
    throw error
  }
}
