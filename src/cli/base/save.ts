/** Downloads a link to standard output, or atomically to a file. */
import { accessSync, constants, statSync, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Download } from '../../client/download.js'
import { Progress } from '../../output/progress.js'
import { canRedraw } from '../../output/style.js'
import { replaceFileWith } from '../../config/atomic-file.js'
import type { IO } from '../../config/environment.js'
import { describeWriteFailure } from '../errors/file-error.js'
import { UsageError } from '../errors/usage-error.js'

/** Throws `UsageError` if the file cannot be written, before any request is sent. */
export function checkSaveable(name: string | undefined): void {
  if (name === undefined || name === '-') return
  if (name === '') throw new UsageError('--download names no file.')
  const path = resolve(name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (name.endsWith('/') || found?.isDirectory()) describeWriteFailure(name)({ code: 'EISDIR' })
  try {
    accessSync(isReplaceable(found) ? dirname(path) : path, constants.W_OK)
  } catch (error) {
    describeWriteFailure(name)(error as NodeJS.ErrnoException)
  }
}

/** Devices and pipes are written in place; renaming a file over them would remove them for other programs. */
const isReplaceable = (found: Stats | undefined) => found === undefined || found.isFile()

export interface SaveOptions {
  /** Time allowed for the answer. */
  withinMs?: number | undefined
  /** Text to begin a saved file with. Standard output, devices and pipes get only the download. */
  begin?: string
}

/** `name` is a file to create or replace, or `-`. Returns the number of downloaded bytes. */
export async function saveDownload(
  link: string,
  name: string,
  { stdout, stderr, env }: IO,
  { withinMs, begin = '' }: SaveOptions = {},
): Promise<number> {
  const { downloadFile: download } = await import('../../client/download.js')
  const source = await download(link, withinMs)
  const progress = new Progress({
    what: 'KB',
    terminal: canRedraw(stderr, env) ? stderr : undefined,
    write: (text) => void stderr.write(text),
    now: () => Date.now(),
  })
  const counted = countedParts(source, progress)
  return name === '-' ? toStream(counted, stdout) : toFile(counted, name, begin)
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

async function toFile(parts: Parts, name: string, begin: string): Promise<number> {
  const path = resolve(name)
  if (isReplaceable(statSync(path, { throwIfNoEntry: false })))
    return replaceFileWith(path, (file) => writeParts(parts, file, name, begin)).catch((error: unknown) => {
      // Errors of the file system name a path; those of the download do not.
      if (error instanceof Error && 'path' in error) describeWriteFailure(name)(error as NodeJS.ErrnoException)
      throw error
    })
  const file = await open(path, 'w').catch(describeWriteFailure(name))
  try {
    return await writeParts(parts, file, name, '')
  } finally {
    await file.close()
  }
}

async function writeParts(parts: Parts, file: FileHandle, name: string, begin: string): Promise<number> {
  let written = 0
  if (begin !== '') await file.writeFile(begin).catch(describeWriteFailure(name))
  for await (const { part, bytes } of parts) {
    await file.writeFile(part).catch(describeWriteFailure(name))
    written = bytes
  }
  return written
}
