/** Tidy rules about commands: each says what it does and shows how it is used. */
import ts from 'typescript'
import { inEach, type Rule } from './rule.js'
import { isCodeIn, nodesOf, type Source } from './source.js'

/** What a static field of the file's class is set to. */
function staticField(source: Source, name: string): ts.Expression | undefined {
  for (const node of nodesOf(source)) {
    if (!ts.isPropertyDeclaration(node) || node.name.getText() !== name) continue
    if (node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword)) return node.initializer
  }
  return undefined
}

function isFilled(value: ts.Expression | undefined): boolean {
  if (value === undefined) return false
  if (ts.isArrayLiteralExpression(value)) return value.elements.length > 0
  return !ts.isStringLiteralLike(value) || value.text.trim() !== ''
}

const mustHave = (name: string) => (source: Source) =>
  isFilled(staticField(source, name)) ? [] : [`${source.path} has no static ${name}`]

const isCommand = (path: string) => isCodeIn(path, 'commands')

export const commandRules: readonly Rule[] = [
  {
    name: 'every command has a summary',
    covers: isCommand,
    faults: inEach(mustHave('summary')),
    planted: [
      {
        files: {
          'commands/a.ts': "export default class A { summary = 'Not static' }\n",
          'commands/b.ts': "export default class B { static summary = '' }\n",
        },
        faults: ['commands/a.ts has no static summary', 'commands/b.ts has no static summary'],
      },
      { files: { 'commands/a.ts': "export default class A { static override readonly summary = 'A' }\n" }, faults: [] },
    ],
  },
  {
    name: 'every command has examples',
    covers: isCommand,
    faults: inEach(mustHave('examples')),
    planted: [
      {
        files: { 'commands/a.ts': 'export default class A { static examples = [] }\n', 'commands/b.ts': '' },
        faults: ['commands/a.ts has no static examples', 'commands/b.ts has no static examples'],
      },
      { files: { 'commands/a.ts': "export default class A { static examples = ['<%= id %>'] }\n" }, faults: [] },
    ],
  },
]
