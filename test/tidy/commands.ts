/** Tidy rules about commands: summaries, examples and the wording of help texts. */
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

const helpProperties = new Set(['summary', 'description'])
const isTextNode = (node: ts.Node | undefined): node is ts.Expression =>
  node !== undefined && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isBinaryExpression(node))

/** The help texts of a file: summaries and descriptions of the command, its flags and its arguments. */
function helpTexts(source: Source): string[] {
  return [...nodesOf(source)].flatMap((node) => {
    if (!ts.isPropertyDeclaration(node) && !ts.isPropertyAssignment(node)) return []
    if (!helpProperties.has(node.name.getText()) || !isTextNode(node.initializer)) return []
    return [node.initializer.getText().slice(1)]
  })
}

/** Prepositions and relative words that a help text must not begin with. */
export const fragmentStart =
  /^(about|after|at|before|below|between|by|during|for|from|how|if|in|into|its?|of|on|that|these|those|to|until|what|when|where|which|who|whose|why|with|without)\b/i

/** Help texts that begin with a preposition or a relative word, or in lower case. */
function badStarts(source: Source): string[] {
  return helpTexts(source)
    .filter((text) => fragmentStart.test(text) || /^[a-z]/.test(text))
    .map((text) => `${source.path}: rephrase the help text "${text.slice(0, 40)}"`)
}

/** Whether a prompt's object literal says that the answer may be empty. */
const isOptional = (property: ts.PropertyAssignment): boolean => /\bisOptional: true\b/.test(property.parent.getText())

/** Flags and arguments that the command prompts for, by name, without "(required" in their help text. */
function unmarked(source: Source): string[] {
  const asked = new Set<string>()
  const help = new Map<string, string>()
  for (const node of nodesOf(source)) {
    if (!ts.isPropertyAssignment(node)) continue
    const name = node.name.getText().replaceAll("'", '')
    const value = node.initializer
    if (name === 'flag' && ts.isStringLiteralLike(value) && !isOptional(node))
      asked.add(value.text.replaceAll(/^--|[<>]/g, ''))
    const declaration = /^(?:Flags|Args)\.\w+\(/.test(value.getText()) ? value.getText() : undefined
    if (declaration === undefined) continue
    help.set(/\bname: '([^']+)'/.exec(declaration)?.[1] ?? name, declaration)
  }
  return [...asked]
    .filter((name) => help.has(name) && !help.get(name)?.includes('(required'))
    .map((name) => `${source.path}: mark ${name} as (required)`)
}

const hasHelp = (path: string) => isCommand(path) || isCodeIn(path, 'src/cli')
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
  {
    name: 'every help text begins with a capital letter and its object or verb',
    covers: hasHelp,
    faults: inEach(badStarts),
    planted: [
      {
        files: {
          'commands/a.ts':
            "export default class A { static override flags = { a: Flags.string({ summary: 'of this campaign' }) } }\n",
          'commands/b.ts': "export default class B { static override summary = 'show a lead' }\n",
          'commands/c.ts': "const args = { id: Args.string({ description: 'That ended so' }) }\n",
        },
        faults: [
          'commands/a.ts: rephrase the help text "of this campaign\'"',
          'commands/b.ts: rephrase the help text "show a lead\'"',
          'commands/c.ts: rephrase the help text "That ended so\'"',
        ],
      },
      {
        files: { 'commands/a.ts': "export default class A { static override summary = 'Filter by outcome' }\n" },
        faults: [],
      },
    ],
  },
  {
    name: 'every flag and argument that a command prompts for is marked (required)',
    covers: isCommand,
    faults: inEach(unmarked),
    planted: [
      {
        files: {
          'commands/a.ts':
            "const flags = { phone: Flags.string({ summary: 'Phone' }) }\nconst need = { flag: '--phone', value: 1 }\n",
          'commands/b.ts':
            "const args = { id: Args.string({ name: 'lead-id', description: 'Lead' }) }\nconst need = { flag: '<lead-id>' }\n",
        },
        faults: ['commands/a.ts: mark phone as (required)', 'commands/b.ts: mark lead-id as (required)'],
      },
      {
        files: {
          'commands/a.ts':
            "const flags = { phone: Flags.string({ summary: 'Phone (required)' }) }\nconst need = { flag: '--phone' }\n",
          'commands/b.ts':
            "const flags = { name: Flags.string({ summary: 'Name' }) }\nconst need = { flag: '--name', isOptional: true }\n",
        },
        faults: [],
      },
    ],
  },
]
