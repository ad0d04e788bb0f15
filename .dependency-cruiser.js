/** Who may import whom: the map of ARCHITECTURE.md as rules, cycles, and the one entrance of some packages. */

const shared = ['src/contract', 'src/phone', 'src/dialing', 'src/plan', 'src/webhooks', 'src/csv']

/**
 * Each part of the product with the parts it may import, directly or through them. Type imports count too. The rules of
 * the service (dialing, webhooks, reporting) never import the telephone network or the webhook sender: both meet the
 * rules in the runtime and in the composition root.
 */
const below = {
  bin: ['commands'],
  commands: ['src/cli', 'src/conform', ...shared],
  'src/cli': ['src/config', 'src/output', 'src/client', 'src/phone', 'src/dialing', 'src/plan', 'src/webhooks'],
  'src/conform': ['src/config', 'src/output', 'src/client', 'src/phone', 'src/dialing', 'src/webhooks', 'src/csv'],
  'src/config': ['src/contract', 'src/url'],
  'src/output': ['src/contract', 'src/csv'],
  'src/client': ['src/contract', 'src/url'],
  'src/contract': [],
  'src/phone': [],
  'src/dialing': ['src/contract', 'src/phone'],
  'src/plan': ['src/contract', 'src/phone'],
  'src/webhooks': ['src/url'],
  'src/csv': [],
  'src/url': [],
  'simulator/index': ['simulator/worlds'],
  'simulator/worlds': ['simulator/http', 'simulator/runtime', 'simulator/version'],
  'simulator/version': [],
  'simulator/plan': ['simulator/runtime', 'simulator/setup', 'simulator/telephony'],
  console: ['src/contract'],
  'simulator/http': [
    'simulator/version',
    'simulator/dialing',
    'simulator/reporting',
    'simulator/telephony',
    'simulator/setup',
  ],
  'simulator/runtime': ['simulator/dialing', 'simulator/telephony', 'simulator/webhooks/sender'],
  'simulator/setup': ['simulator/webhooks'],
  'simulator/dialing': ['simulator/webhooks', 'simulator/reporting'],
  'simulator/reporting': ['simulator/webhooks'],
  'simulator/webhooks': ['simulator/model'],
  'simulator/webhooks/sender': ['simulator/kernel', ...shared],
  'simulator/telephony': ['simulator/model'],
  'simulator/model': ['simulator/storage'],
  'simulator/storage': ['simulator/kernel', ...shared],
  'simulator/kernel': [],
}

/** The part itself and all that it may import. */
function reachableParts(part, found = new Set([part])) {
  for (const next of below[part]) {
    if (!found.has(next)) reachableParts(next, found.add(next))
  }
  return [...found]
}

/** Matches the files of a part: a folder or one file. The sender is a part inside the folder of another one. */
const filesOf = (part) =>
  part === 'simulator/webhooks' ? '^simulator/webhooks/(?!sender/)' : `^${part}(/|\\.[jt]sx?$)`

const product = '^(bin|src|commands|simulator|console)/'
const starters = '^commands/(simulate|demo|conform)[./]'

const directions = Object.keys(below).map((part) => ({
  name: `imports-of-${part.replaceAll('/', '-')}`,
  severity: 'error',
  from: { path: filesOf(part) },
  to: {
    path: product,
    pathNot: [...reachableParts(part).map(filesOf), ...(part === 'commands' ? [filesOf('simulator/index')] : [])],
  },
}))

const inPackage = (names) => `^node_modules/(${names.join('|')})/`

export default {
  forbidden: [
    ...directions,
    {
      name: 'every-file-is-in-a-part',
      severity: 'error',
      from: { path: product, pathNot: Object.keys(below).map(filesOf) },
      to: {},
    },
    {
      name: 'no-cycle',
      severity: 'error',
      from: { path: product },
      to: { circular: true },
    },
    {
      name: 'only-the-commands-that-start-it-import-the-simulator',
      severity: 'error',
      from: { path: product, pathNot: [starters, filesOf('simulator/index')] },
      to: { path: filesOf('simulator/index') },
    },
    {
      name: 'the-simulator-is-loaded-when-it-is-started',
      comment: 'No other command pays for it: use import().',
      severity: 'error',
      from: { path: starters },
      to: { path: filesOf('simulator/index'), dependencyTypesNot: ['dynamic-import'] },
    },
    {
      name: 'fastify-has-one-entrance',
      severity: 'error',
      from: { path: product, pathNot: '^simulator/http/' },
      to: { path: inPackage(['fastify']) },
    },
    {
      name: 'the-database-has-one-entrance',
      severity: 'error',
      from: { path: product, pathNot: '^simulator/storage/driver\\.ts$' },
      to: { path: inPackage(['better-sqlite3', 'better-sqlite3-13']) },
    },
    {
      name: 'undici-is-for-tests',
      severity: 'error',
      from: { path: product },
      to: { path: inPackage(['undici']) },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
}
