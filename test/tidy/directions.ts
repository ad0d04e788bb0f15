/** Tidy rules about the direction of imports: the map of ARCHITECTURE.md, in a table. */
import { importsOf, wayTo, type Import } from './imports.js'
import { inEach, type Rule } from './rule.js'
import { isCodeIn, type Source } from './source.js'

const words = ['src/contract', 'src/phone', 'src/webhooks', 'src/csv']

/**
 * Each part of the product with the parts it may import, directly or through them. Type imports count too. The rules of
 * the service (dialing, webhooks, reporting) never import the telephone network or the webhook sender: both meet the
 * rules in the runtime and in the composition root.
 */
const below: Readonly<Record<string, readonly string[]>> = {
  bin: ['commands'],
  commands: ['src/cli', ...words],
  'src/cli': ['src/config', 'src/output', 'src/client'],
  'src/config': ['src/contract', 'src/url'],
  'src/output': ['src/contract', 'src/csv'],
  'src/client': ['src/contract', 'src/url'],
  'src/contract': [],
  'src/phone': [],
  'src/webhooks': ['src/url'],
  'src/csv': [],
  'src/url': [],
  'simulator/index': ['simulator/compose'],
  'simulator/compose': ['simulator/http', 'simulator/runtime', 'simulator/version'],
  'simulator/version': [],
  'simulator/http': ['simulator/dialing', 'simulator/reporting', 'simulator/telephony', 'simulator/setup'],
  'simulator/runtime': ['simulator/dialing', 'simulator/telephony', 'simulator/webhooks/sender'],
  'simulator/setup': ['simulator/webhooks'],
  'simulator/dialing': ['simulator/webhooks', 'simulator/reporting'],
  'simulator/reporting': ['simulator/webhooks'],
  'simulator/webhooks': ['simulator/model'],
  'simulator/webhooks/sender': ['simulator/kernel', ...words],
  'simulator/telephony': ['simulator/model'],
  'simulator/model': ['simulator/storage'],
  'simulator/storage': ['simulator/kernel', ...words],
  'simulator/kernel': [],
}

function mayImport(part: string, target: string): boolean {
  return part === target || (below[part] ?? []).some((neighbour) => mayImport(neighbour, target))
}

/** The commands that start a simulator, by `import()`: no other command pays for it. */
const isStarter = (path: string) => /^commands\/(simulate|demo)[./]/.test(path)

const isProduct = (path: string) => isCodeIn(path, 'src', 'commands', 'simulator') || /^bin\/.*\.js$/.test(path)

function partOf(path: string): string {
  if (path.startsWith('simulator/webhooks/sender/')) return 'simulator/webhooks/sender'
  const [top = '', second = ''] = path.replace(/\.[jt]s$/, '').split('/')
  return top === 'src' || top === 'simulator' ? `${top}/${second}` : top
}

function wrongDirection({ from, to, loads }: Import): boolean {
  const [part, target] = [partOf(from), partOf(to)]
  if (target === 'simulator/index') return !(isStarter(from) && loads === 'lazily')
  return !mayImport(part, target)
}

function wrongDirections(source: Source): string[] {
  if (below[partOf(source.path)] === undefined) return [`${source.path} is in no part that the table knows`]
  return importsOf(source)
    .filter((one) => one.ours && wrongDirection(one))
    .map(({ place, to, loads }) => `${place} imports ${to}${loads === 'lazily' ? ' lazily' : ''}`)
}

/** Each cycle once, told from its first file by name. */
function cycles(covered: readonly Source[]): string[] {
  const imports = new Map(covered.map((source) => [source.path, importsOf(source).filter((one) => one.ours)]))
  const told = new Set<string>()
  const found: string[] = []
  for (const start of [...imports.keys()].sort()) {
    if (told.has(start)) continue
    const way = wayTo(start, imports, (next) => next.to === start)
    if (way === undefined) continue
    for (const { from } of way) told.add(from)
    found.push(`a cycle: ${[...way.map((one) => one.from), start].join(' -> ')}`)
  }
  return found
}

export const directionRules: readonly Rule[] = [
  {
    name: 'imports go one way',
    covers: isProduct,
    faults: inEach(wrongDirections),
    planted: [
      {
        files: {
          'simulator/dialing/calls.ts': "import type { CallScript } from '../telephony/call-script.js'\n",
          'simulator/telephony/call-script.ts': "type Check = import('../dialing/admission.js').Check\n",
          'simulator/kernel/clock.ts': "\nexport { limits } from '../../src/contract/limits.js'\n",
          'simulator/http/server.ts': "import '../runtime/engine.js'\nimport '../../src/client/retry.js'\n",
          'src/contract/lead.ts': "await import('../phone/zone.js')\n",
          'src/output/table.ts': "import '../config/profile.js'\n",
          'commands/simulate.ts': "import { startSimulator } from '../simulator/index.js'\n",
          'commands/leads/add.ts': "await import('../../simulator/index.js')\n",
          'src/toys/ball.ts': '',
          'simulator/toys.ts': '',
        },
        faults: [
          'simulator/dialing/calls.ts:1 imports simulator/telephony/call-script.ts',
          'simulator/telephony/call-script.ts:1 imports simulator/dialing/admission.ts',
          'simulator/kernel/clock.ts:2 imports src/contract/limits.ts',
          'simulator/http/server.ts:1 imports simulator/runtime/engine.ts',
          'simulator/http/server.ts:2 imports src/client/retry.ts',
          'src/contract/lead.ts:1 imports src/phone/zone.ts lazily',
          'src/output/table.ts:1 imports src/config/profile.ts',
          'commands/simulate.ts:1 imports simulator/index.ts',
          'commands/leads/add.ts:1 imports simulator/index.ts lazily',
          'src/toys/ball.ts is in no part that the table knows',
          'simulator/toys.ts is in no part that the table knows',
        ],
      },
      {
        files: {
          'bin/dev.js': "import '../src/cli/run.js'\n",
          'commands/simulate.ts': "await import('../simulator/index.js')\n",
          'commands/simulate/reset.ts': "import '../../src/cli/base.js'\n",
          'commands/leads/add.ts': "import './list.js'\nimport 'node:fs'\nimport 'undici'\n",
          'simulator/runtime/engine.ts': "import '../webhooks/sender/courier.js'\nimport '../dialing/dialer.js'\n",
          'simulator/model/lead.ts': "import '../../src/contract/lead.js'\n",
          'test/any.test.ts': "import '../simulator/http/server.js'\n",
        },
        faults: [],
      },
    ],
  },
  {
    name: 'imports make no cycle',
    covers: isProduct,
    faults: cycles,
    planted: [
      {
        files: {
          'src/phone/a.ts': "import type { B } from './b.js'\n",
          'src/phone/b.ts': "export * from './c.js'\n",
          'src/phone/c.ts': "import './d.js'\nimport './a.js'\n",
          'src/phone/d.ts': '',
          'src/config/self.ts': "await import('./self.js')\n",
        },
        faults: [
          'a cycle: src/config/self.ts -> src/config/self.ts',
          'a cycle: src/phone/a.ts -> src/phone/b.ts -> src/phone/c.ts -> src/phone/a.ts',
        ],
      },
      {
        files: { 'src/a.ts': "import './b.js'\nimport './c.js'\n", 'src/b.ts': "import './c.js'\n", 'src/c.ts': '' },
        faults: [],
      },
    ],
  },
]
