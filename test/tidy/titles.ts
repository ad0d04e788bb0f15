/** Tidy rule about the titles of tests: a failure's name leads to one test. */
import ts from 'typescript'
import { inEach, type Rule } from './rule.js'
import { nodesOf, placeOf, type Source } from './source.js'

/** The text between the quotes, places for values included; undefined when the title is not written out. */
function titleOf(call: ts.CallExpression): string | undefined {
  const title = call.arguments[0]
  if (title === undefined) return undefined
  return ts.isStringLiteralLike(title) || ts.isTemplateExpression(title) ? title.getText().slice(1, -1) : undefined
}

/** What is called to name a test, the values of `each` included. `test.get(...)` is something else of that name. */
const form = /^(describe|it|test)(?:\.(?:concurrent|sequential|fails|each|for|skipIf|runIf)\b(?:\([^]*\)|`[^]*`)?)*$/

/** `describe`, `it` or `test` for a call of them in any form, `it.each(...)(...)` too. */
function wordOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined
  const word = form.exec(node.expression.getText())?.[1]
  return word === undefined || titleOf(node) === undefined ? undefined : word
}

/** The titles from the outermost description to the test, as the report shows them. */
function fullTitle(test: ts.CallExpression): string {
  const titles = [titleOf(test)]
  for (let node: ts.Node = test.parent; !ts.isSourceFile(node); node = node.parent) {
    if (ts.isCallExpression(node) && wordOf(node) === 'describe') titles.unshift(titleOf(node))
  }
  return titles.join(' > ')
}

function repeatedTitles(source: Source): string[] {
  const seen = new Set<string>()
  return [...nodesOf(source)].flatMap((node) => {
    const word = wordOf(node)
    if (!ts.isCallExpression(node) || word === undefined || word === 'describe') return []
    const title = fullTitle(node)
    const repeated = seen.has(title)
    seen.add(title)
    return repeated ? [`${placeOf(source, node)} again: ${title}`] : []
  })
}

export const titleRules: readonly Rule[] = [
  {
    name: 'the titles of tests are unique in their file',
    covers: (path) => path.endsWith('.test.ts'),
    faults: inEach(repeatedTitles),
    planted: [
      {
        files: {
          'test/a.test.ts': "describe('a', () => {\n  it('one', run)\n  it.each([1])('one', run)\n})\n",
          'test/b.test.ts': "it('one', run)\ntest(`one`, run)\n",
        },
        faults: ['test/a.test.ts:3 again: a > one', 'test/b.test.ts:2 again: one'],
      },
      {
        files: {
          'test/a.test.ts':
            "describe('a', () => {\n  it('one', run)\n})\ndescribe('b', () => {\n  it('one', run)\n})\n",
          'test/b.test.ts': "it('one', run)\nit(title, run)\nit(title, run)\n",
          'test/c.test.ts': "it('one', () => {\n  test.get('/dnc')\n  test.get('/dnc')\n})\n",
        },
        faults: [],
      },
    ],
  },
]
