/** Tidy rules about doors: each thing outside our own code is reached from one place, so one place can be replaced. */
import ts from 'typescript'
import { importsOf, wayTo, type Import } from './imports.js'
import { inEach, type Rule } from './rule.js'
import { isCodeIn, nodesOf, placeOf, type Source } from './source.js'

const isProduct = (path: string) => isCodeIn(path, 'src', 'commands', 'simulator')

const packageDoors: Readonly<Record<string, RegExp>> = {
  fastify: /^simulator\/http\//,
  'better-sqlite3': /^simulator\/storage\/driver\.ts$/,
  undici: /^simulator\/webhooks\/sender\//,
}

function besideTheDoor(source: Source): string[] {
  return importsOf(source)
    .filter(({ to }) => packageDoors[to]?.test(source.path) === false)
    .map(({ place, to }) => `${place} imports ${to} beside its door`)
}

/** Packages that cost a noticeable part of a command's start. */
const heavy = new Set([
  ...['undici', 'zod', 'inquirer', 'cli-table3', 'chalk', 'papaparse'],
  ...['fastify', 'better-sqlite3', 'libphonenumber-js', 'moment-timezone'],
])

function heavyStarts(covered: readonly Source[], project: readonly Source[]): string[] {
  const product = project.filter(({ path }) => isProduct(path))
  const atStart = (source: Source) => importsOf(source).filter(({ loads }) => loads === 'at start')
  const imports = new Map(product.map((source) => [source.path, atStart(source)]))
  return covered.flatMap(({ path }) => {
    const way = wayTo(path, imports, ({ to }: Import) => heavy.has(to))
    return way === undefined ? [] : [`${[path, ...way.map(({ to }) => to)].join(' -> ')} at start`]
  })
}

/** A name as it is written with dots, `process.env` or `Date.now`, or undefined for anything else. */
function dotted(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text
  if (ts.isPropertyAccessExpression(node)) return `${dotted(node.expression)}.${node.name.text}`
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return `${dotted(node.expression)}.${node.argumentExpression.text}`
  }
  return undefined
}

/** What a node reads of the machine's time or chance, if anything. `new Date(ms)` is arithmetic. */
function readingOf(node: ts.Node): string | undefined {
  if (ts.isNewExpression(node) && dotted(node.expression) === 'Date' && !node.arguments?.length) return 'new Date()'
  if (ts.isCallExpression(node) && dotted(node.expression) === 'Date') return 'Date()'
  const name = dotted(node)
  if (name === undefined) return undefined
  if (/^(globalThis\.)?(Date\.now|Math\.random|performance\.now|process\.hrtime)$/.test(name)) return name
  if (/^globalThis\.(setTimeout|setInterval)$/.test(name)) return name
  const isOfSomethingElse = ts.isPropertyAccessExpression(node.parent) && node.parent.name === node
  return /^(setTimeout|setInterval)$/.test(name) && !isOfSomethingElse ? name : undefined
}

function readings(source: Source): string[] {
  const timers = importsOf(source)
    .filter(({ to }) => /^node:(timers|perf_hooks)\b/.test(to))
    .map(({ place, to }) => `${place} reads ${to}`)
  const read = [...nodesOf(source)].flatMap((node) => {
    const reading = readingOf(node)
    return reading === undefined ? [] : [`${placeOf(source, node)} reads ${reading}`]
  })
  return [...timers, ...read]
}

/** `process.env`, `{ env } = process` and `import { env } from 'node:process'`. */
function readsEnvironment(node: ts.Node): boolean {
  if (ts.isBindingElement(node) && (node.propertyName ?? node.name).getText() === 'env') {
    const owner = node.parent.parent
    return ts.isVariableDeclaration(owner) && owner.initializer?.getText() === 'process'
  }
  if (ts.isImportSpecifier(node) && (node.propertyName ?? node.name).text === 'env') {
    return /^['"](node:)?process['"]$/.test(node.parent.parent.parent.moduleSpecifier.getText())
  }
  return dotted(node) === 'process.env'
}

function environmentReads(source: Source): string[] {
  return [...nodesOf(source)].filter(readsEnvironment).map((node) => `${placeOf(source, node)} reads the environment`)
}

function printing(source: Source): string[] {
  return [...nodesOf(source)]
    .filter((node) => ts.isPropertyAccessExpression(node) && dotted(node.expression) === 'console')
    .map((node) => `${placeOf(source, node)} prints with ${dotted(node)}`)
}

export const doorRules: readonly Rule[] = [
  {
    name: 'a package with a door is imported there alone',
    covers: isProduct,
    faults: inEach(besideTheDoor),
    planted: [
      {
        files: {
          'simulator/runtime/engine.ts': "import type { FastifyInstance } from 'fastify'\n",
          'simulator/model/lead.ts': "import Database from 'better-sqlite3'\n",
          'commands/api.ts': "await import('undici')\n",
        },
        faults: [
          'simulator/runtime/engine.ts:1 imports fastify beside its door',
          'simulator/model/lead.ts:1 imports better-sqlite3 beside its door',
          'commands/api.ts:1 imports undici beside its door',
        ],
      },
      {
        files: {
          'simulator/http/server.ts': "import fastify from 'fastify'\n",
          'simulator/storage/driver.ts': "import Database from 'better-sqlite3'\n",
          'simulator/webhooks/sender/courier.ts': "import { request } from 'undici'\n",
        },
        faults: [],
      },
    ],
  },
  {
    name: 'a command starts without the heavy packages',
    covers: (path) => isCodeIn(path, 'commands', 'src/cli/base'),
    faults: heavyStarts,
    planted: [
      {
        files: {
          'commands/leads/add.ts': "import '../../src/cli/base/command.js'\n",
          'src/cli/base/command.ts': "import '../../contract/lead.js'\n",
          'src/contract/lead.ts': "import { z } from 'zod'\n",
        },
        faults: [
          'commands/leads/add.ts -> src/cli/base/command.ts -> src/contract/lead.ts -> zod at start',
          'src/cli/base/command.ts -> src/contract/lead.ts -> zod at start',
        ],
      },
      {
        files: {
          'commands/leads/add.ts': "import type { z } from 'zod'\nimport '../../src/cli/base/command.js'\n",
          'src/cli/base/command.ts':
            "import type { Lead } from '../../contract/lead.js'\nawait import('../../contract/lead.js')\n",
          'src/contract/lead.ts': "import { z } from 'zod'\n",
        },
        faults: [],
      },
    ],
  },
  {
    name: 'the simulator reads time and chance at one door',
    covers: (path) => isCodeIn(path, 'simulator') && path !== 'simulator/kernel/system-clock.ts',
    faults: inEach(readings),
    planted: [
      {
        files: {
          'simulator/a.ts': 'const now = Date.now()\nconst then = new Date()\nconst luck = Math.random\n',
          'simulator/b.ts': "setTimeout(run, 1)\nimport { setInterval as every } from 'node:timers'\n",
          'simulator/c.ts': "globalThis.setInterval(run, 1)\nDate['now']()\n",
        },
        faults: [
          'simulator/a.ts:1 reads Date.now',
          'simulator/a.ts:2 reads new Date()',
          'simulator/a.ts:3 reads Math.random',
          'simulator/b.ts:2 reads node:timers',
          'simulator/b.ts:1 reads setTimeout',
          'simulator/b.ts:2 reads setInterval',
          'simulator/c.ts:1 reads globalThis.setInterval',
          'simulator/c.ts:2 reads Date.now',
        ],
      },
      {
        files: {
          'simulator/a.ts': '/** Never Date.now(). */\nnew Date(at)\nclock.setTimeout(1)\nmachine.now()\n',
          'src/client/wait.ts': 'setTimeout(run, Date.now())\n',
        },
        faults: [],
      },
    ],
  },
  {
    name: 'the environment is read in src/config alone',
    covers: (path) => isProduct(path) && !path.startsWith('src/config/'),
    faults: inEach(environmentReads),
    planted: [
      {
        files: {
          'src/output/colour.ts': "process.env.NO_COLOR\nprocess['env']\n",
          'commands/a.ts': "import { env as all } from 'node:process'\nconst { env } = process\n",
        },
        faults: [
          'src/output/colour.ts:1 reads the environment',
          'src/output/colour.ts:2 reads the environment',
          'commands/a.ts:1 reads the environment',
          'commands/a.ts:2 reads the environment',
        ],
      },
      {
        files: { 'src/config/environment.ts': 'process.env\n', 'src/output/colour.ts': 'process.platform\n' },
        faults: [],
      },
    ],
  },
  {
    name: 'nothing is printed with console',
    covers: (path) => isCodeIn(path, 'src', 'commands', 'simulator', 'test'),
    faults: inEach(printing),
    planted: [
      { files: { 'src/a.ts': "\nconsole.error('no')\n" }, faults: ['src/a.ts:2 prints with console.error'] },
      {
        files: { 'src/a.ts': "// console.log\nthis.log('yes')\n", 'bench/run.ts': "console.log('yes')\n" },
        faults: [],
      },
    ],
  },
]
