/** Tidy rules about size: what does not fit in the head is two things. */
import ts from 'typescript'
import { inEach, type Rule } from './rule.js'
import { isCodeIn, nodesOf, placeOf, treeOf, type Source } from './source.js'

const fileLinesMax = 400
const functionLinesMax = 70

const covers = (path: string) => isCodeIn(path, 'src', 'commands', 'simulator', 'test')

function lineCount(text: string): number {
  return text.replace(/\n$/, '').split('\n').length
}

/** The callback of `describe(...)`, in any of its forms: it is a list of tests, not a function to follow. */
function isDescription(node: ts.Node): boolean {
  const call = node.parent
  if (!ts.isCallExpression(call)) return false
  let callee: ts.Expression = call.expression
  while (ts.isCallExpression(callee) || ts.isPropertyAccessExpression(callee)) callee = callee.expression
  return ts.isIdentifier(callee) && callee.text === 'describe'
}

function longFunctions(source: Source): string[] {
  const tree = treeOf(source)
  return [...nodesOf(source)]
    .filter((node) => ts.isFunctionLike(node) && 'body' in node && !isDescription(node))
    .map((node) => ({ node, lines: lineCount(node.getText(tree)) }))
    .filter(({ lines }) => lines > functionLinesMax)
    .map(({ node, lines }) => `${placeOf(source, node)} a function of ${lines} lines`)
}

const statements = (count: number) => '  void 0\n'.repeat(count)

export const sizeRules: readonly Rule[] = [
  {
    name: `a file has at most ${fileLinesMax} lines`,
    covers,
    faults: inEach(({ path, text }) => {
      const lines = lineCount(text)
      return lines > fileLinesMax ? [`${path} has ${lines} lines`] : []
    }),
    planted: [
      { files: { 'src/long.ts': '\n'.repeat(401) }, faults: ['src/long.ts has 401 lines'] },
      { files: { 'src/full.ts': '\n'.repeat(400), 'docs/long.md': '\n'.repeat(500) }, faults: [] },
    ],
  },
  {
    name: `a function has at most ${functionLinesMax} lines`,
    covers,
    faults: inEach(longFunctions),
    planted: [
      {
        files: {
          'src/long.ts': `\nfunction long() {\n${statements(69)}}\n`,
          'test/long.test.ts': `it('is long', () => {\n${statements(69)}})\n`,
          'commands/long.ts': `class Long {\n  run() {\n${statements(70)}}\n}\n`,
        },
        faults: [
          'src/long.ts:2 a function of 71 lines',
          'test/long.test.ts:1 a function of 71 lines',
          'commands/long.ts:2 a function of 72 lines',
        ],
      },
      {
        files: {
          'src/full.ts': `/**\n * Comments do not count.\n */\nfunction full() {\n${statements(68)}}\n`,
          'test/many.test.ts': `describe.each([1])('many', () => {\n${statements(80)}})\n`,
          'src/table.ts': `const table = [\n${'  () => 0,\n'.repeat(80)}]\n`,
        },
        faults: [],
      },
    ],
  },
]
