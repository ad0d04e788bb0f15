/**
 * Measures how much of a key's rate limit an import uses, and whether its memory grows with the file. Runs the built
 * program against a simulator with limits. The clock is advanced so that added leads are called and make room.
 */
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { memoryOf } from './memory.js'
import { percent, type Row } from './row.js'
import { leadNumber, Service, svc } from './service.js'

const rows = Number(process.env.IMPORT ?? 100_000)
/** New leads per minute of the key. */
const allowance = 24_000
/** The shortest time that the limit allows for these rows: one minute's leads at once, the next ones a minute later. */
const leastMs = Math.floor((rows - 1) / allowance) * 60_000

export async function measureImport(folder: string): Promise<Row> {
  const file = join(folder, 'people.csv')
  await write(file)
  const service = await Service.start(join(folder, 'import.db'), 'paused', { limits: true })
  try {
    const { id } = await service.account()
    await service.control('PATCH', `/organizations/${id}`, { requests_per_minute: 1_000_000 })
    const campaign = await service.control<{ id: string }>('POST', '/campaigns', {
      ...{ name: 'Import', lines: 5_000, any_hour: true, consent_required: false, max_attempts: 1 },
    })
    const limits = { leads_per_minute: allowance, requests_per_minute: 1_000_000, burst: 1_000_000 }
    const key = await service.control<{ secret: string }>('POST', '/keys', { mode: 'live', limits })
    const env = { SVC_CONFIG_DIR: folder, SVC_BASE_URL: service.baseUrl, SVC_SECRET: key.secret }
    return rowOf(
      await imported(service, [svc, 'leads', 'import', file, '--campaign', campaign.id, '--json', '--yes'], env),
    )
  } finally {
    await service.stop()
  }
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
}

async function imported(service: Service, words: string[], env: Record<string, string>): Promise<Imported> {
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

function rowOf({ ms, added, early, most }: Imported): Row {
  const [all, taken] = [rows, added].map((count) => count.toLocaleString('en-US'))
  return {
    what: `\`leads import\` of ${all} rows, ${taken} added`,
    beside: `the least time that a key of ${allowance.toLocaleString('en-US')} new leads a minute allows for it`,
    result: `${percent(leastMs, ms)} of its rate; ${Math.round(most)} MB at most, ${Math.round(early)} MB after half a minute`,
    budget: 'at least 98%, memory flat',
  }
}
