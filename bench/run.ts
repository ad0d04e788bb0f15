/** Runs the benchmarks, prints their ratios, and writes them to docs/benchmarks.md with the machine's size and the date. */
import { writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { measureHttp, type Ratio } from './http.js'

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0
const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)}%`

function line({ what, floor, subject, beside, budget }: Ratio): string {
  const pairs = subject.map((rate, i) => percent(rate, beside[i] ?? rate))
  return `| ${what} | ${floor} | ${percent(median(subject), median(beside))} (${pairs.join(', ')}) | ${budget} |`
}

const rows = await measureHttp()
const machine = `${availableParallelism()} processors, ${Math.round(totalmem() / 2 ** 30)} GiB of memory, Node ${process.version}`
const document = `# Benchmarks

Ratios taken in one run, each beside the least that could be done, in turn on the same machine: absolute times say
little of another one. Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}; ${machine}.

| What | Measured beside | Ratio: median (each round) | Budget |
|---|---|---|---|
${rows.map(line).join('\n')}
`
writeFileSync(new URL('../docs/benchmarks.md', import.meta.url), document)
process.stdout.write(document)
