/** Tidy rule about the start of a command: no heavy package is loaded before it is used. */
import { importsOf, wayTo, type Import } from './imports.js'
import type { Rule } from './rule.js'
import { isCodeIn, type Source } from './source.js'

const isProduct = (path: string) => isCodeIn(path, 'src', 'commands', 'simulator')

/** Packages that cost a noticeable part of a command's start. */
const heavy = new Set([
  ...['undici', 'zod', 'inquirer', 'cli-table3', 'chalk', 'papaparse', 'hucre/xlsx'],
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

export const startRules: readonly Rule[] = [
  {
    name: 'a command starts without the heavy packages',
    covers: (path) => isCodeIn(path, 'commands', 'src/cli/base', 'src/cli/help'),
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
]
