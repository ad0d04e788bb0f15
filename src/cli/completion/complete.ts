/**
 * Answers the completion scripts: `svc complete <shell> -- <words>` prints the kind of answer, for some files with their
 * endings (`files csv|txt`), then a word and its description a line. It does not load the command framework, because each press of Tab waits for it.
 */
import { readFileSync } from 'node:fs'
import { processIO } from '../../config/environment.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { findCandidates, type Candidates, type CommandTree } from './candidates.js'
import { namesFrom } from './names.js'

/** `root` is the folder of the package. Never throws: a message would land in the middle of the line being typed. */
export async function complete(root: URL, argv: readonly string[]): Promise<void> {
  const io = processIO()
  const [shell = '', ...rest] = argv
  const words = unquoteWords(shell, rest[0] === '--' ? rest.slice(1) : rest)
  const answer = await findCandidates(words.values, readTree(root), (given) => namesFrom(io, given)).catch(
    (): Candidates => ({ kind: 'words', words: [] }),
  )
  const lines = answer.words.map(({ value, about }) => {
    const word = shell === 'bash' ? wordForBash(value, words) : value
    return about === '' ? word : `${word}\t${about}`
  })
  const kind = [answer.kind, ...(answer.endings ? [answer.endings.join('|')] : [])].join(' ')
  const clean = [kind, ...lines].map((line) => line.split('\t').map(stripControlsFromLine).join('\t'))
  // The shell may have gone away.
  io.stdout.on('error', () => process.exit(0))
  await new Promise((resolve) => io.stdout.write(`${clean.join('\n')}\n`, resolve))
  // A request that is still under way must not keep the shell waiting.
  process.exit(0)
}

function readTree(root: URL): CommandTree {
  const parse = (name: string) => JSON.parse(readFileSync(new URL(name, root), 'utf8')) as unknown
  const { commands } = parse('oclif.manifest.json') as Pick<CommandTree, 'commands'>
  const { oclif } = parse('package.json') as { oclif: { topics: Topics } }
  return { commands, topics: flatten(oclif.topics) }
}

interface Topics {
  [name: string]: { description?: string; subtopics?: Topics }
}

function flatten(topics: Topics, above = ''): CommandTree['topics'] {
  return Object.entries(topics).flatMap(([name, { description, subtopics = {} }]) => [
    { name: above + name, description },
    ...flatten(subtopics, `${above}${name}:`),
  ])
}

interface TypedWords {
  values: string[]
  /** The quote that the word at the cursor begins with. */
  quote: string
  /** Number of characters of the word at the cursor that bash keeps, because it cut the word after them. */
  keptLength: number
}

/** The shells pass words as typed. bash also cuts them at `=` and at colons, so that `leads:read` is three words. */
function unquoteWords(shell: string, typed: readonly string[]): TypedWords {
  const quote = /^["']/.exec(typed.at(-1) ?? '')?.[0] ?? ''
  const values: string[] = []
  let keptLength = 0
  let isAfterColon = false
  for (const word of typed.map(unquote)) {
    const last = values.at(-1) ?? ''
    const isColon = /^:+$/.test(word) && last !== ''
    const isSign = isColon || (word === '=' && /^--[^=]+$/.test(last))
    const isCut: boolean = shell === 'bash' && (isSign || isAfterColon || /^--[^=]+=$/.test(last))
    if (isCut) values[values.length - 1] = last + word
    else values.push(word)
    keptLength = isCut ? last.length + (isSign ? word.length : 0) : 0
    isAfterColon = isCut && isColon
  }
  return { values, quote, keptLength }
}

const unquote = (word: string): string => {
  const [, , inner] = /^(["'])([^]*?)\1?$/.exec(word) ?? []
  return inner ?? word.replaceAll(/\\([^])/g, '$1')
}

/** bash inserts the word as it is, so spaces need a backslash. Inside quotes they need none. */
function wordForBash(value: string, { quote, keptLength }: TypedWords): string {
  const word = value.slice(keptLength)
  return quote === '' ? word.replaceAll(/[^\w@%+=:,./*-]/gu, String.raw`\$&`) : word
}
