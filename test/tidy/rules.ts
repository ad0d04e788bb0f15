/** Tidy rules about the service's numbered rules: each cited number exists, and each rule is cited by code and by a test. */
import type { Rule } from './rule.js'
import { isCodeIn, type Source } from './source.js'

const page = 'docs/rules.md'

const isProduct = (path: string) => isCodeIn(path, 'src', 'commands', 'simulator')
/** The tidy rules themselves contain made-up citations. */
const isTest = (path: string) => isCodeIn(path, 'test') && !path.startsWith('test/tidy/')
const isPage = (path: string) => path.endsWith('.md')

/** The numbers in the first column of the page's tables. */
const numbersOf = (text: string): string[] =>
  [...text.matchAll(/^\| ([A-Z]\d+) +\|/gm)].map(([, number = '']) => number)

/** The numbers that a text cites, as in "rule D4" or "rules D13, S3 and W6", also over the end of a line. */
function citedIn({ text }: Source): string[] {
  const line = text.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ')
  const lists = line.matchAll(/\brules? ([A-Z]\d+\b(?:(?:,? and |,? to |, )[A-Z]\d+\b)*)/gi)
  return [...lists].flatMap(([, list = '']) => list.match(/[A-Z]\d+/g) ?? [])
}

function unknownNumbers(covered: readonly Source[]): string[] {
  const known = new Set(covered.filter(({ path }) => path === page).flatMap(({ text }) => numbersOf(text)))
  return covered.flatMap((source) =>
    [...new Set(citedIn(source))]
      .filter((number) => !known.has(number))
      .map((number) => `${source.path} cites rule ${number}, which ${page} does not have`),
  )
}

function uncited(covered: readonly Source[]): string[] {
  const citedBy = (isMeant: (path: string) => boolean) =>
    new Set(covered.filter(({ path }) => isMeant(path)).flatMap(citedIn))
  const [code, tests] = [citedBy(isProduct), citedBy(isTest)]
  const numbers = covered.filter(({ path }) => path === page).flatMap(({ text }) => numbersOf(text))
  return numbers.flatMap((number) => [
    ...(code.has(number) ? [] : [`no code cites rule ${number}`]),
    ...(tests.has(number) ? [] : [`no test cites rule ${number}`]),
  ])
}

const table = (...numbers: string[]) => numbers.map((number) => `| ${number} | Says. |\n`).join('')

export const ruleCitationRules: readonly Rule[] = [
  {
    name: 'every rule that is cited exists',
    covers: (path) => isProduct(path) || isTest(path) || isPage(path),
    faults: unknownNumbers,
    planted: [
      {
        files: {
          'docs/rules.md': table('Z1', 'Z12'),
          'src/a.ts': '/** Refuses all (rule Z2). */\n',
          'test/a.test.ts': '// rules Z1, Z12 and\n// Z3\n',
          'README.md': 'Rule Z13 applies.\n',
        },
        faults: [
          'src/a.ts cites rule Z2, which docs/rules.md does not have',
          'test/a.test.ts cites rule Z3, which docs/rules.md does not have',
          'README.md cites rule Z13, which docs/rules.md does not have',
        ],
      },
      {
        files: {
          'docs/rules.md': table('Z1'),
          'src/a.ts': '// the rules of Z9, rule Z1\n',
          'test/tidy/a.ts': '// rule Z7\n',
        },
        faults: [],
      },
    ],
  },
  {
    name: 'every numbered rule is cited by code and by a test',
    covers: (path) => isProduct(path) || isTest(path) || path === page,
    faults: uncited,
    planted: [
      {
        files: {
          'docs/rules.md': table('Z1', 'Z2', 'Z3'),
          'simulator/a.ts': '// rule Z1\n',
          'test/a.test.ts': '// rules Z1 and Z2\n',
        },
        faults: ['no code cites rule Z2', 'no code cites rule Z3', 'no test cites rule Z3'],
      },
      {
        files: {
          'docs/rules.md': table('Z1', 'Z2'),
          'simulator/a.ts': '/**\n * Sends (rules Z1\n * and Z2).\n */\n',
          'test/a.test.ts': '// rule Z1, Z2\n',
        },
        faults: [],
      },
    ],
  },
]
