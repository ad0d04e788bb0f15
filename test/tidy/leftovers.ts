/** Tidy rules about what is left behind by work in progress: marks, half tests, and ways around the compiler. */
import ts from 'typescript'
import { inEach, type Rule } from './rule.js'
import { isCodeIn, nodesOf, placeOf, type Source } from './source.js'

const isCode = (path: string) => /\.[jt]s$/.test(path)
const isText = (path: string) => path !== 'package-lock.json'

/** Every line that matches, with what matched. */
export function matchingLines({ path, text }: Source, pattern: RegExp): string[] {
  return text.split('\n').flatMap((line, index) => {
    const found = pattern.exec(line)
    return found === null ? [] : [`${path}:${index + 1} says "${found[0].trim()}"`]
  })
}

// Written so that this file does not match itself.
const mark = new RegExp(String.raw`\b(TO${''}DO|FIX${''}ME|X${''}XX|HA${''}CK)\b`)
const silencer = /@ts-(?:ignore|nocheck|expect-error)|(?:es|ox)lint-disable/

/** `it.only`, `describe.skip.each`, `test.todo`: a test that does not run, or keeps others from running. */
function halfTests(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (!ts.isPropertyAccessExpression(node) || !/^(only|skip|todo)$/.test(node.name.text)) return []
    const isTest = /^(describe|suite|it|test|bench)\b/.test(node.expression.getText())
    return isTest ? [`${placeOf(source, node)} has .${node.name.text}`] : []
  })
}

function anys(source: Source): string[] {
  return [...nodesOf(source)]
    .filter((node) => node.kind === ts.SyntaxKind.AnyKeyword)
    .map((node) => `${placeOf(source, node)} has the type any`)
}

const planted = (...parts: string[]) => parts.join('')

export const leftoverRules: readonly Rule[] = [
  {
    name: 'no mark of unfinished work is left',
    covers: isText,
    faults: inEach((source) => matchingLines(source, mark)),
    planted: [
      {
        files: { 'src/a.ts': planted('\n// FIX', 'ME later\n'), 'docs/a.md': planted('TO', 'DO: write\n') },
        faults: [planted('src/a.ts:2 says "FIX', 'ME"'), planted('docs/a.md:1 says "TO', 'DO"')],
      },
      { files: { 'src/a.ts': '// +1 555 555 01XX\nconst todo = 1\n' }, faults: [] },
    ],
  },
  {
    name: 'every test runs',
    covers: (path) => isCodeIn(path, 'test'),
    faults: inEach(halfTests),
    planted: [
      {
        files: {
          'test/a.test.ts': "it.only('a', run)\n\ndescribe.skip.each([1])('b', run)\ntest.concurrent.todo('c')\n",
        },
        faults: ['test/a.test.ts:1 has .only', 'test/a.test.ts:3 has .skip', 'test/a.test.ts:4 has .todo'],
      },
      { files: { 'test/a.test.ts': "page.skip(1)\nit('never says it.only', run)\n" }, faults: [] },
    ],
  },
  {
    name: 'nothing has the type any',
    covers: (path) => path.endsWith('.ts'),
    faults: inEach(anys),
    planted: [
      {
        files: { 'src/a.ts': 'export const a = b as any\nexport function f(c: any[]) {}\n' },
        faults: ['src/a.ts:1 has the type any', 'src/a.ts:2 has the type any'],
      },
      { files: { 'src/a.ts': '// the same as any other\nconst any: unknown = 1\n' }, faults: [] },
    ],
  },
  {
    name: 'neither the compiler nor the linter is silenced',
    covers: isCode,
    faults: inEach((source) => matchingLines(source, silencer)),
    planted: [
      {
        files: {
          'src/a.ts': planted('// @ts-', 'ignore\n', '/* es', 'lint-disable */\n'),
          'bin/b.js': planted('\n// @ts-', 'expect-error\n', '// ox', 'lint-disable-line\n'),
        },
        faults: [
          planted('src/a.ts:1 says "@ts-', 'ignore"'),
          planted('src/a.ts:2 says "es', 'lint-disable"'),
          planted('bin/b.js:2 says "@ts-', 'expect-error"'),
          planted('bin/b.js:3 says "ox', 'lint-disable"'),
        ],
      },
      { files: { 'src/a.ts': '// eslint and @ts are only named here\n' }, faults: [] },
    ],
  },
]
