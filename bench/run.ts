/**
 * Runs the benchmarks, prints the results, and writes them to docs/benchmarks.md with the machine and the date. `npm
 * run bench -- pushed` runs only one benchmark and writes no page; `npm run bench -- console push` runs a part of one.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureConsole } from './console.js'
import { measureDeliveries } from './deliveries.js'
import { measureHttp } from './http.js'
import { measureImport } from './import.js'
import { measureIsolatedWorlds } from './isolated-worlds.js'
import { machine, today } from './machine.js'
import type { Row } from './row.js'
import { measurePushedDeliveries } from './pushed-deliveries.js'
import { measureStart } from './start.js'
import { measureWorld, memoryRow, pageRows, pushRows } from './worlds.js'

/** Leads of the largest world. A lower number shortens the run. */
const mostLeads = Number(process.env.LEADS ?? 1_000_000)

const folder = mkdtempSync(join(tmpdir(), 'bench-'))
const rows: Row[] = []
const add = (...more: Row[]) => {
  rows.push(...more)
  for (const { what, result } of more) process.stderr.write(`${what}: ${result}\n`)
}

/** Benchmarks that do not need the result of another one. */
const single: Record<string, (part?: string) => Promise<Row[] | void>> = {
  http: () => measureHttp(folder),
  deliveries: () => measureDeliveries(join(folder, 'deliveries.db')),
  pushed: () => measurePushedDeliveries(folder),
  import: () => measureImport(folder),
  isolated: () => measureIsolatedWorlds(folder),
  console: (part) => measureConsole(folder, { add, part }),
}

async function measureAll(): Promise<void> {
  add(...(await measureHttp(folder)))
  const small = await measureWorld(folder, 1_000)
  const [ten, hundred] = [await measureWorld(folder, 10_000), await measureWorld(folder, 100_000)]
  const largest = mostLeads > hundred.leads ? await measureWorld(folder, mostLeads) : hundred
  add(...pushRows([...new Set([ten, hundred, largest])]), ...pageRows(largest, small), memoryRow(hundred))
  add(...(await measureStart(folder, largest)))
  add(...(await measureDeliveries(join(folder, 'deliveries.db'))))
  add(...(await measurePushedDeliveries(folder)))
  add(...(await measureImport(folder)))
  add(...(await measureIsolatedWorlds(folder)))
  await measureConsole(folder, { add, given: largest })
}

const name = process.argv[2]
const one = name === undefined ? undefined : single[name]
if (name !== undefined && !one) throw new Error(`${name}: not a benchmark. Use ${Object.keys(single).join(', ')}.`)

try {
  if (one) add(...((await one(process.argv[3])) ?? []))
  else await measureAll()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
if (one) process.exit()

const document = `# Benchmarks

Each row compares the simulator or the command line with the smallest program that does the same kind of work. Both are
measured in turn, in one run on one machine, because absolute times say little about another machine.
[performance.md](performance.md) says where the time goes. To repeat the run, type \`npm run bench\`.

Measured on ${today()}: ${machine}.

| What | Compared with | Result | Budget |
|---|---|---|---|
${rows.map(({ what, beside, result, budget }) => `| ${what} | ${beside} | ${result} | ${budget} |`).join('\n')}
`
writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), document)
process.stdout.write(document)
