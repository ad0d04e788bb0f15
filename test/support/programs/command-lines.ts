/** Parses shell lines with the commands' own parsers: which command is meant, and whether it accepts the rest. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '@oclif/core/command'
import { parse } from '@oclif/core/parser'

/** Folder of the commands. */
export const folder = fileURLToPath(new URL('../../../commands', import.meta.url))
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))

/** Commands by what the user types: `leads add`. */
export const commands = new Map<string, typeof Command>()
for (const path of files) {
  const module = (await import(join(folder, path))) as { default: typeof Command }
  commands.set(path.replace(/\.ts$/, '').replaceAll('/', ' '), module.default)
}

/** The arguments after each `svc` in a shell text, split as a shell would. */
export function svcWordsIn(text: string): string[][] {
  const joined = text.replaceAll('\\\n', ' ').replaceAll('<%= config.bin %>', 'svc')
  return [...joined.matchAll(/(?:^|[|(;&] ?|\bnpx |\bif )svc([^\n]*)/gm)].map(([, own = '']) => {
    const words: string[] = []
    for (const [word] of own.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"');])+|[);]/g)) {
      if (/^(\||\|\||&&?|\d?>>?|2>&1|[);]|<|#)$/.test(word)) break
      words.push(word.replaceAll(/["']/g, ''))
    }
    return words
  })
}

/** The longest start of the words that names a command. */
export function commandIn(words: readonly string[]): string | undefined {
  return words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((typed) => commands.has(typed))
}

/** Parses a command line with the command's own parser. Throws its error, or an error for an unknown command. */
export async function read(words: readonly string[]): Promise<void> {
  const typed = commandIn(words)
  const command = typed === undefined ? undefined : commands.get(typed)
  if (typed === undefined || !command) throw new Error(`There is no command "${words.join(' ')}".`)
  const flags = { ...command.baseFlags, ...command.flags }
  await parse(words.slice(typed.split(' ').length), { flags, args: command.args, strict: command.strict })
}
