/** Tidy rules about names and first lines: a file has one subject, says which, and is named by it. */
import { inEach, type Rule } from './rule.js'
import { isCodeIn, type Source } from './source.js'

const isCode = (path: string) => /^(src|commands|simulator|console|test|bench|scripts|bin)\/.*\.[jt]sx?$/.test(path)

/** Code with any extension. Stray scripts outside the layout are refused. */
const isAnyCode = (path: string) => /\.[cm]?[jt]sx?$/.test(path)
const configurations = new Set(['.dependency-cruiser.js', 'vitest.config.ts'])

/** The only index files. */
const doors = new Set(['src/contract/index.ts', 'simulator/index.ts'])

/** Names that say nothing of what is inside. */
const empty = /^(utils?|helpers?|types?|commons?|managers?|misc|shared)$/

function emptyNames({ path }: Source): string[] {
  const words = path.replace(/(\.(test|d))?\.[jt]s$/, '').split(/[/.]/)
  const found = words.find((word) => empty.test(word))
  return found === undefined ? [] : [`${path} is named by "${found}", not by its subject`]
}

/** A doc comment as the very first thing, with words in it, that ends as a sentence does. */
const opening = /^\/\*\*\s(?:(?!\*\/)[^])*\w\W{0,3}[.?!]\s*\*\//

export const nameRules: readonly Rule[] = [
  {
    name: 'a file begins with a sentence that says what it is',
    // A command says it in its summary.
    covers: (path) => isCodeIn(path, 'src', 'simulator'),
    faults: inEach(({ path, text }) => (opening.test(text) ? [] : [`${path}:1 begins with no sentence in /** */`])),
    planted: [
      {
        files: {
          'src/silent.ts': 'export const a = 1\n',
          'src/late.ts': "import './a.js'\n/** What this is. */\n",
          'src/plain.ts': '/* What this is. */\n',
          'src/unfinished.ts': '/** What this */\nconst a = "." /* b. */\n',
        },
        faults: [
          'src/silent.ts:1 begins with no sentence in /** */',
          'src/late.ts:1 begins with no sentence in /** */',
          'src/plain.ts:1 begins with no sentence in /** */',
          'src/unfinished.ts:1 begins with no sentence in /** */',
        ],
      },
      {
        files: {
          'src/one.ts': '/** What this is. */\n',
          'simulator/two.ts': '/**\n * What this is, told\n * over two `lines`.\n */\n',
          'commands/three.ts': 'export {}\n',
        },
        faults: [],
      },
    ],
  },
  {
    name: 'a file is named by its subject',
    covers: isCode,
    faults: inEach(emptyNames),
    planted: [
      {
        files: { 'src/utils.ts': '', 'test/helpers/one.ts': '', 'src/manager.ts': '', 'src/a.types.ts': '' },
        faults: [
          'src/utils.ts is named by "utils", not by its subject',
          'test/helpers/one.ts is named by "helpers", not by its subject',
          'src/manager.ts is named by "manager", not by its subject',
          'src/a.types.ts is named by "types", not by its subject',
        ],
      },
      { files: { 'src/event-types.ts': '', 'docs/types.md': '' }, faults: [] },
    ],
  },
  {
    name: 'no folder but the two doors has an index',
    covers: isCode,
    faults: inEach(({ path }) =>
      /\/index\.[jt]s$/.test(path) && !doors.has(path) ? [`${path} is an index that is no door`] : [],
    ),
    planted: [
      { files: { 'src/phone/index.ts': '' }, faults: ['src/phone/index.ts is an index that is no door'] },
      { files: { 'src/contract/index.ts': '', 'simulator/index.ts': '', 'src/agenda-index.ts': '' }, faults: [] },
    ],
  },
  {
    name: 'code is in a folder of the layout',
    covers: isAnyCode,
    faults: inEach(({ path }) =>
      isCode(path) || configurations.has(path) ? [] : [`${path} is code outside the layout`],
    ),
    planted: [
      {
        files: { 'try.ts': '', 'src/one.mts': '', 'tools/two.js': '' },
        faults: [
          'try.ts is code outside the layout',
          'src/one.mts is code outside the layout',
          'tools/two.js is code outside the layout',
        ],
      },
      { files: { 'vitest.config.ts': '', 'bench/run.ts': '', 'bin/run.js': '', 'data.json': '' }, faults: [] },
    ],
  },
]
