/** Saves what is behind a link: whole or not at all, to a file or to standard output. */
import { open, rename, rm } from 'node:fs/promises'
import type { Download } from '../client/download.js'
import { Progress } from '../output/progress.js'
import type { Surroundings } from '../config/surroundings.js'
import { UsageError } from './usage-error.js'

/** `name` is a file, replaced if it is there, or `-`. The answer counts the bytes. */
export async function save(link: string, name: string, { stdout, stderr }: Surroundings): Promise<number> {
  const { download } = await import('../client/download.js')
  const source = await download(link)
  const progress = new Progress({
    what: 'KB',
    atTerminal: Boolean(stderr.isTTY),
    width: stderr.columns || 100,
    write: (text) => void stderr.write(text),
    now: () => Date.now(),
  })
  const counted = countedParts(source, progress)
  return name === '-' ? toStream(counted, stdout) : toFile(counted, name)
}

type Parts = AsyncIterable<{ part: Uint8Array; bytes: number }>

async function* countedParts({ bytes: total, parts }: Download, progress: Progress): Parts {
  const kilobytes = (bytes: number) => Math.round(bytes / 1024)
  let bytes = 0
  for await (const part of parts) {
    bytes += part.length
    yield { part, bytes }
    progress.update({ done: kilobytes(bytes), total: total === undefined ? undefined : kilobytes(total) })
  }
  progress.clear()
}

async function toStream(parts: Parts, stream: NodeJS.WriteStream): Promise<number> {
  let written = 0
  for await (const { part, bytes } of parts) {
    await new Promise<void>((resolve, reject) => stream.write(part, (error) => (error ? reject(error) : resolve())))
    written = bytes
  }
  return written
}

/** Nobody ever finds half a file under the name. */
async function toFile(parts: Parts, name: string): Promise<number> {
  const temporary = `${name}.part`
  let written = 0
  try {
    const file = await open(temporary, 'w').catch(unwritable(name))
    try {
      for await (const { part, bytes } of parts) {
        await file.writeFile(part).catch(unwritable(name))
        written = bytes
      }
    } finally {
      await file.close()
    }
    await rename(temporary, name).catch(unwritable(name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return written
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EISDIR: 'it is a folder',
  EACCES: 'it is not yours to write',
  ENOSPC: 'there is no room left',
}

export const unwritable = (name: string) => (error: NodeJS.ErrnoException) => {
  throw new UsageError(`${name} cannot be written: ${reasons[error.code ?? ''] ?? error.code ?? 'unknown'}.`)
}
