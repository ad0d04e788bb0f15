/**
 * Measures how much of a key's rate limit an import uses, and whether its memory grows with the file. Runs the built
 * program against a simulator with limits. The clock is advanced so that added leads are called and make room.
 */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { readMetricSamples } from '../src/cli/simulator/metric-samples.js'
import { leadsPerBatch } from '../src/contract/limits.js'
import { memoryOf } from './memory.js'
import { percent, times, type Row } from './row.js'
import { leadNumber, Service, svc } from './service.js'

const rows = Number(process.env.IMPORT ?? 100_000)
/** New leads per minute of the key. */
const allowance = 24_000
/** The shortest time that the limit allows for these rows: one minute's leads at once, the next ones a minute later. */
const leastMs = Math.floor((rows - 1) / allowance) * 60_000

/** The least number of requests that the rows take. */
const leastRequests = Math.ceil(rows / leadsPerBatch)

export async function measureImport(folder: string): Promise<Row[]> {
  const file = join(folder, 'people.csv')
  await write(file)
  const [limited, free] = [await run(folder, file, true), await run(folder, file, false)]
  return [rateRow(limited), requestsRow(limited, 'with that limit'), requestsRow(free, 'without limits')]
}

async function run(folder: string, file: string, limits: boolean): Promise<Imported> {
  const service = await Service.start(join(folder, `import-${limits}.db`), 'paused', { limits })
  try {
    const { id } = await service.account()
    await service.control('PATCH', `/organizations/${id}`, { requests_per_minute: 1_000_000 })
    const campaign = await service.control<{ id: string }>('POST', '/campaigns', {
      ...{ name: 'Import', lines: 5_000, any_hour: true, consent_required: false, max_attempts: 1 },
    })
    const ofKey = { leads_per_minute: allowance, requests_per_minute: 1_000_000, burst: 1_000_000 }
    const key = await service.control<{ secret: string }>('POST', '/keys', { mode: 'live', limits: ofKey })
    const env = { SVC_CONFIG_DIR: folder, SVC_DATA_DIR: folder, SVC_BASE_URL: service.baseUrl, SVC_SECRET: key.secret }
    const words = [svc, 'leads', 'import', file, '--campaign', campaign.id, '--json', '--yes']
    return { ...(await imported(service, words, env)), requests: await requestsOf(service) }
  } finally {
    await service.stop()
  }
}

/** Batches that were sent, refused ones included. */
async function requestsOf({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/_sim/metrics`)).text()
  return readMetricSamples(text)
    .filter(({ name, labels }) => name === 'svc_requests_total' && labels['route'] === 'POST /leads/batch')
    .reduce((sum, { value }) => sum + value, 0)
}

async function write(file: string): Promise<void> {
  const out = createWriteStream(file)
  out.write('phone,external_id,name,email\n')
  for (let n = 0; n < rows; n++) {
    const { phone, external_id, name, email } = leadNumber(n) as Record<string, string>
    if (!out.write(`${phone},${external_id},${name},${email}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

interface Imported {
  ms: number
  added: number
  /** Resident memory in megabytes after the first minute's leads, and its peak. */
  early: number
  most: number
  requests: number
}

async function imported(
  service: Service,
  words: string[],
  env: Record<string, string>,
): Promise<Omit<Imported, 'requests'>> {
  const start = performance.now()
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  })
  const passed = () => performance.now() - start
  let [told, early, most, ended] = ['', 0, 0, false]
  child.stdout.on('data', (text) => (told += String(text)))
  const end = once(child, 'close').then(() => {
    ended = true
    return passed()
  })
  while (!ended) {
    const memory = memoryOf(child.pid ?? 0)
    if (memory) {
      most = memory.most
      if (passed() < 30_000) early = memory.most
    }
    await service.control('POST', '/clock/advance', { by: '10m' })
    await Promise.race([end, new Promise((resolve) => setTimeout(resolve, 200))])
  }
  const { added } = JSON.parse(told) as { added: number }
  return { ms: await end, added, early, most }
}

function rateRow({ ms, added, early, most }: Imported): Row {
  const [all, taken] = [rows, added].map((count) => count.toLocaleString('en-US'))
  return {
    what: `\`leads import\` of ${all} rows, ${taken} added`,
    beside: `the least time that a key of ${allowance.toLocaleString('en-US')} new leads a minute allows for it`,
    result: `${percent(leastMs, ms)} of its rate; ${Math.round(most)} MB at most, ${Math.round(early)} MB after half a minute`,
    budget: 'at least 95%, memory flat',
  }
}

function requestsRow({ requests }: Imported, how: string): Row {
  const [all, sent, least] = [rows, requests, leastRequests].map((count) => count.toLocaleString('en-US'))
  return {
    what: `Requests of \`leads import\` of ${all} rows, ${how}`,
    beside: `${least}, the least possible number`,
    result: `${sent}: ${times(requests, leastRequests)}`,
    budget: 'at most 1.1 times',
  }
}
