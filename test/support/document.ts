/** Code blocks of the documentation pages, in order. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  /** The language after the opening fence: `sh`, `text`, `js`. */
  language: string
  text: string
  /** Line of the opening fence, counted from 1. */
  line: number
}

/** Every page written by hand, by its path in the project. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md') && name !== 'commands.md')
    .map((name) => `docs/${name}`),
]

/** The pages that tests type in. Each list is read in one session. */
export const walks = {
  first: ['README.md', 'docs/output-and-exit-codes.md'],
  leads: [
    'docs/adding-and-importing-leads.md',
    'docs/do-not-call.md',
    'docs/watching-campaigns.md',
    'docs/planning.md',
  ],
  integration: [
    'docs/webhooks.md',
    'docs/testing-recipes.md',
    'docs/simulator.md',
    'docs/console.md',
    'docs/parallel-tests.md',
  ],
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

/** Every program of the pages, by the name in its first line. */
export const programs: ReadonlyMap<string, string> = new Map(
  pages
    .flatMap(blocksOf)
    .filter(({ language }) => language === 'js')
    .map(({ text }) => [/^\/\/ (\S+)\n/.exec(text)?.[1] ?? '', text]),
)
