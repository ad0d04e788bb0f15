/** The pages of the documentation as a reader sees them: their blocks of code, in order. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  /** The language after the opening fence: `sh`, `text`, `js`. */
  language: string
  text: string
  /** Of the opening fence, the first line of the page being 1. */
  line: number
}

/** Every page that is written by hand, by its path in the project. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'commands.md')
    .map((name) => `docs/${name}`),
]

/** The pages that are typed by tests, as they are read: together, none for long. */
export const walks = {
  first: ['README.md', 'docs/output-and-exit-codes.md'],
  leads: ['docs/adding-and-importing-leads.md', 'docs/do-not-call.md', 'docs/watching-campaigns.md'],
  integration: ['docs/webhooks.md', 'docs/testing-recipes.md', 'docs/simulator.md'],
} as const

export const textOf = (page: string): string => readFileSync(join(root, page), 'utf8')

export function blocksOf(page: string): Block[] {
  const text = textOf(page)
  return [...text.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map((found) => ({
    language: found[1] ?? '',
    text: found[2] ?? '',
    line: text.slice(0, found.index).split('\n').length,
  }))
}

/** Every program on a page, by the name in its first line. */
export const programs: ReadonlyMap<string, string> = new Map(
  pages
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'js')
    .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? '', text]),
)
