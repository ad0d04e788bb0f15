/** Measures the start-up time of the command line and of the simulator, compared with an empty Node program. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { median, msOf, times, type Row } from './row.js'
import { Service, svc } from './service.js'

const rounds = 9

function toEnd(words: readonly string[], env: Record<string, string>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { stdio: 'ignore', env: { ...process.env, ...env } })
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${words.join(' ')}: exit ${code}`))))
  })
}

/** Resolves when the simulator is ready. */
async function toReady(words: readonly string[], env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [svc, 'simulate', '--port', '0', ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  await Promise.race([
    new Promise<void>((resolve) => createInterface({ input: child.stdout }).once('line', () => resolve())),
    new Promise<void>((resolve) => createInterface({ input: child.stderr }).once('line', () => resolve())),
  ])
  child.kill('SIGKILL')
  await ended
}

async function medianOf(work: () => Promise<void>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < rounds; i++) all.push(await msOf(work))
  return median(all)
}

export async function measureStart(folder: string, world: { leads: number; file: string }): Promise<Row[]> {
  const service = await Service.start(':memory:')
  const { secret } = await service.account()
  const env = { SVC_CONFIG_DIR: folder, SVC_BASE_URL: service.baseUrl, SVC_SECRET: secret }
  try {
    const floor = await medianOf(() => toEnd(['-e', '0'], {}))
    const version = await medianOf(() => toEnd([svc, '--version'], env))
    const list = await medianOf(() => toEnd([svc, 'leads', 'list'], env))
    const fresh = await medianOf(() => toReady(['--data', ':memory:'], env))
    const large = await medianOf(() => toReady(['--data', world.file], env))
    const beside = '`node -e 0`'
    return [
      { what: '`svc --version`', beside, result: times(version, floor), budget: 'under 1.5 times' },
      { what: '`svc leads list`', beside, result: times(list, floor), budget: 'at most 2.5 times' },
      {
        what: '`svc simulate` to ready',
        beside,
        result: `${Math.round(fresh)} ms; ${times(fresh, floor)}`,
        budget: 'at most 5 times',
      },
      {
        what: `\`svc simulate\` to ready on the file with ${world.leads.toLocaleString('en-US')} leads`,
        beside: 'on an empty one',
        result: times(large, fresh),
        budget: 'within 1.5 times',
      },
    ]
  } finally {
    await service.stop()
  }
}
