/** Asks a person at a terminal before a download replaces a file. Scripts replace it. */
import { createReadStream, existsSync, statSync } from 'node:fs'
import { freeName, readPath } from '../input/file-names.js'
import { quoteForShell } from '../input/shell-word.js'
import { countOf } from '../results/words.js'
import type { SvcCommand } from './command.js'
import { checkSaveable } from './save.js'

/** Counting the lines of a larger file would make a person wait. */
const countedBytesMax = 50_000_000
const textFile = /\.(csv|tsv|txt|json)$/i

/**
 * The name to save to: the given one, or another one if the person keeps the file. `yes` answers the question. Call it
 * before the service makes what is downloaded.
 */
export async function nameToSave(
  command: SvcCommand,
  name: string | undefined,
  yes: boolean,
): Promise<string | undefined> {
  checkSaveable(name)
  if (name === undefined || name === '-' || yes || !command.isInteractive) return name
  const found = statSync(name, { throwIfNoEntry: false })
  // An empty file has nothing to lose, and devices and pipes are not replaced.
  if (found === undefined || !found.isFile() || found.size === 0) return name
  if (await command.agree(`${name} exists (${await describeSize(name, found.size)}). Replace it?`, false)) {
    command.answers.confirm()
    return name
  }
  const other = await askForOtherName(command, name)
  command.answers.replace(name, quoteForShell(other))
  checkSaveable(other)
  return other
}

async function askForOtherName(command: SvcCommand, name: string): Promise<string> {
  const check = (path: string): string | true => !existsSync(path) || `${path} exists. Type another name.`
  const [other = ''] = await command.promptForMissing({
    ...{ flag: '--download', label: 'Save as', value: undefined, isFile: true },
    ...{ usual: () => freeName(name), read: readPath, check, spell: () => [] },
  })
  return other
}

async function describeSize(name: string, bytes: number): Promise<string> {
  if (textFile.test(name) && bytes <= countedBytesMax) return countOf(await countLines(name), 'line')
  const kilobytes = Math.ceil(bytes / 1024)
  return kilobytes < 1024 ? `${kilobytes} KB` : `${(kilobytes / 1024).toFixed(1)} MB`
}

/** A last line without a line break counts too. */
async function countLines(name: string): Promise<number> {
  const lineBreak = 10
  let lines = 0
  let last = lineBreak
  for await (const part of createReadStream(name) as AsyncIterable<Buffer>) {
    for (const byte of part) if (byte === lineBreak) lines++
    last = part.at(-1) ?? last
  }
  return last === lineBreak ? lines : lines + 1
}
