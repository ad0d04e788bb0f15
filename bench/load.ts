/**
 * Load test: runs the simulator at the machine's limit and checks memory, latency, slots of simultaneous requests,
 * and deliveries.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { abortMany } from './aborted.js'
import { machine, today } from './machine.js'
import { MixedLoad, type Sample } from './mixed-load.js'
import { median } from './row.js'
import { Service } from './service.js'
import { storm } from './storm.js'

const seconds = Number(process.env.SECONDS ?? 120)
const aborted = 10_000

/** Compares the medians of the last and the first third of the samples. */
function growth(
  samples: readonly Sample[],
  of: (sample: Sample) => number,
): { first: number; last: number; times: number } {
  const third = Math.floor(samples.length / 3)
  const [first, last] = [median(samples.slice(0, third).map(of)), median(samples.slice(-third).map(of))]
  return { first, last, times: last / first }
}

const folder = mkdtempSync(join(tmpdir(), 'load-'))
const rows: [what: string, result: string, holds: boolean][] = []

try {
  const service = await Service.start(join(folder, 'mixed.db'))
  const { secret } = await service.account()
  const campaigns: string[] = []
  // A campaign accepts at most 5,000 waiting leads (rule A4).
  for (let n = 0; n < 20; n++) {
    const words = { name: `Load ${n}`, lines: 20, consent_required: false }
    campaigns.push((await service.control<{ id: string }>('POST', '/campaigns', words)).id)
  }
  // From the night before to the day on which calls are made.
  await service.control('POST', '/clock/advance', { by: '6h' })
  const load = new MixedLoad(service, { secret, campaigns })
  const samples = await load.run(seconds)
  for (const { second, megabytes, rate, medianMs, p99Ms } of samples)
    process.stderr.write(
      `${second} s: ${Math.round(megabytes)} MB, ${Math.round(rate)}/s, median ${medianMs.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms\n`,
    )
  const memory = growth(samples, ({ megabytes }) => megabytes)
  const p99 = growth(samples, ({ p99Ms }) => p99Ms)
  const rate = growth(samples, (sample) => sample.rate)
  rows.push(
    [
      `Memory under ${seconds} s of mixed requests at the machine's limit, first and last third`,
      `${Math.round(memory.first)} MB, ${Math.round(memory.last)} MB`,
      memory.times <= 4 / 3,
    ],
    [
      'The slowest 1% of requests, first and last third',
      `${p99.first.toFixed(0)} ms, ${p99.last.toFixed(0)} ms`,
      p99.times <= 3,
    ],
    [
      'Requests answered, first and last third',
      `${rate.first.toFixed(0)} a second, ${rate.last.toFixed(0)} a second`,
      true,
    ],
    ['Requests that were refused or failed', String(load.failed), load.failed === 0],
  )
  await service.stop()

  const limited = await Service.start(join(folder, 'aborted.db'), 'paused', { limits: true })
  const places = await abortMany(limited, aborted)
  rows.push([
    `Free slots for simultaneous requests after ${aborted.toLocaleString('en-US')} aborted requests`,
    `${places.free} of ${places.places}`,
    places.free === places.places,
  ])
  await limited.stop()

  const blown = await storm(join(folder, 'storm.db'))
  rows.push(
    [
      `Healthy endpoints (of ${blown.healthy}) that got every event while ${blown.poisoned} others hang, reset or send slowly`,
      `${blown.complete}, in ${blown.seconds.toFixed(0)} s`,
      blown.complete === blown.healthy,
    ],
    [
      'Most requests at once at one endpoint; most started in one second',
      `${blown.mostAtOnce}; ${blown.mostInASecond}`,
      blown.mostAtOnce <= 5 && blown.mostInASecond <= 11,
    ],
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const document = `# Load

\`npm run load\` sends mixed requests as fast as the simulator answers them, aborts ${aborted.toLocaleString('en-US')} requests, and delivers webhooks
while 20 endpoints hang or fail. It fails if memory grows by more than a third, or if the slowest 1% of requests takes more
than three times as long at the end as at the start.

Measured on ${today()}: ${machine}, shared by the
simulator and the load generator.

| What | Result | Passed |
|---|---|---|
${rows.map(([what, result, holds]) => `| ${what} | ${result} | ${holds ? 'yes' : 'no'} |`).join('\n')}
`
writeFileSync(new URL('../docs/load.md', import.meta.url), document)
process.stdout.write(document)
if (rows.some(([, , holds]) => !holds)) process.exitCode = 1
