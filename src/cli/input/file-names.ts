/** File names as a person types them in a question: with quotes, with `~`, and completed by the Tab key. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** The path that the typed text means. */
export function readPath(typed: string): string {
  const plain = /^(["'])(.*)\1$/.exec(typed)?.[2] ?? typed.replaceAll('\\ ', ' ')
  return plain.replace(/^~(?=\/|$)/, homedir())
}

/** The name, or `leads-2.csv` for `leads.csv` if that exists. */
export function freeName(name: string): string {
  const [, stem = name, extension = ''] = /^(.*[^/])(\.[^./]+)$/.exec(name) ?? []
  for (let nth = 1; ; nth++) {
    const free = `${stem}${nth === 1 ? '' : `-${nth}`}${extension}`
    if (!existsSync(free)) return free
  }
}

/** Completes a line for `node:readline`. Hidden files are offered only after a dot. Folders end with a slash. */
export function completeFileName(line: string): [matches: string[], completed: string] {
  const quote = /^["']/.exec(line)?.[0] ?? ''
  const typed = line.slice(quote.length)
  const slash = typed.lastIndexOf('/') + 1
  const [begin, part] = [typed.slice(0, slash), typed.slice(slash)]
  const folder = readPath(quote + begin + quote) || '.'
  const names = entriesOf(folder).filter((name) => name.startsWith(part) && (part !== '' || !name.startsWith('.')))
  return [names.map((name) => quote + begin + name), line]
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder)
      .sort()
      .map((name) => (statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() ? `${name}/` : name))
  } catch {
    return []
  }
}
