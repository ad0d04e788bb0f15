/**
 * Measures worlds of 1,000 to 1,000,000 leads in a file: simulating a day, reading pages, finding the next due task,
 * memory, and start-up.
 */
import { join } from 'node:path'
import { bareInsertsMs } from './bare-inserts.js'
import { median, msOf, percent, perSecond, times, type Row } from './row.js'
import { Service } from './service.js'

/** With enough leads, this number of lines makes about 100,000 calls in a day of 13 hours. */
const lines = 250

interface Measured {
  leads: number
  file: string
  calls: number
  /** Per call, for simulating the day. */
  microseconds: number
  /** Per call, for inserting only the day's events. */
  bare: number
  megabytes: { loaded: number; most: number }
  /** Milliseconds by kind of request. */
  questions: Record<string, number>
}

export async function measureWorld(folder: string, leads: number): Promise<Measured> {
  const file = join(folder, `world-${leads}.db`)
  const service = await Service.start(file)
  try {
    const { secret } = await service.account()
    const campaign = { name: 'Bench', lines, consent_required: false }
    const { id } = await service.control<{ id: string }>('POST', '/campaigns', campaign)
    await service.load(id, leads)
    const { now: loaded, most } = service.memory()
    let events = 0
    const ms = await msOf(async () => {
      ;({ events } = await service.control<{ events: number }>('POST', '/clock/advance', { by: '24h' }))
    })
    const bareMs = bareInsertsMs(join(folder, 'bare.db'), events, await service.lengthOfEvents(secret))
    const { totals } = await service.api<{ totals: { calls: number } }>(secret, 'GET', '/usage')
    const questions = await ask(service, secret, id)
    const { calls } = totals
    const [microseconds, bare] = [(1000 * ms) / calls, (1000 * bareMs) / calls]
    return { leads, file, calls, microseconds, bare, megabytes: { loaded, most }, questions }
  } finally {
    await service.stop()
  }
}

/** Requests to each world: pages of lists, and the step to the next task. */
async function ask(service: Service, secret: string, campaign: string): Promise<Record<string, number>> {
  const pages = [
    '/leads?limit=100',
    `/leads?limit=100&campaign_id=${campaign}`,
    '/leads?limit=100&status=scheduled',
    '/calls?limit=100',
    '/calls?limit=100&outcome=interested',
    '/events?limit=100',
    '/events?limit=100&type=call.completed',
    '/dnc?limit=100',
  ]
  const found: Record<string, number> = {}
  for (const page of pages) found[page] = await medianMs(() => service.api(secret, 'GET', page))
  found['a step of the clock'] = await medianMs(() => service.control('POST', '/clock/advance', { by: '1s' }))
  return found
}

async function medianMs(work: () => Promise<unknown>): Promise<number> {
  const all: number[] = []
  for (let i = 0; i < 30; i++) all.push(await msOf(work))
  return median(all)
}

export function pushRows(worlds: readonly Measured[]): Row[] {
  const first = worlds[0]!
  return worlds.flatMap(({ leads, calls, microseconds, bare }) => {
    const number = leads.toLocaleString('en-US')
    const what = `Pushing a simulated day over ${number} leads in a file: ${calls.toLocaleString('en-US')} calls, events recorded`
    const speed = {
      what,
      beside: 'the same events inserted into a bare file, and nothing else',
      result: `${perSecond(1e6 / microseconds)}; ${percent(bare, microseconds)} of its rate`,
      budget: 'at least 10,000 a second',
    }
    const growth = {
      what: `A pushed call's cost with ${number} leads`,
      beside: `with ${first.leads.toLocaleString('en-US')} leads`,
      result: times(microseconds, first.microseconds),
      budget: 'within 1.5 times',
    }
    return leads === first.leads ? [speed] : [speed, growth]
  })
}

export function pageRows(large: Measured, small: Measured): Row[] {
  const beside = `the same with ${small.leads.toLocaleString('en-US')} leads`
  return Object.entries(large.questions).map(([question, ms]) => ({
    what: `${question.startsWith('/') ? `\`GET ${question.replace(/=[0-9a-f-]{36}/, '={id}')}\`` : question} with ${large.leads.toLocaleString('en-US')} leads`,
    beside,
    result: times(ms, small.questions[question] ?? ms),
    budget: 'within 2 times',
  }))
}

export function memoryRow({ leads, megabytes }: Measured): Row {
  return {
    what: `Memory with ${leads.toLocaleString('en-US')} leads in a file, loaded in requests of 2,000`,
    beside: '',
    result: `${Math.round(megabytes.loaded)} MB, ${Math.round(megabytes.most)} MB at most`,
    budget: 'under 200 MB',
  }
}
