/**
 * Measures the console over a large file: answers to its lists, first paint of its screens, and what an open console
 * costs a pushed day. Also its size, and what it adds to the start of the simulator (`console-start.ts`).
 */
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { hasBrowser, startBrowser } from '../test/support/browser.js'
import { measureConsoleStart } from './console-start.js'
import { cpuSecondsOf } from './memory.js'
import { median, msOf, times, type Row } from './row.js'
import { Service } from './service.js'

const rounds = 7
const pushedLeads = 100_000
const pushRounds = 3
const lines = 250

const listBudgetMs = 150
const paintBudgetMs = 300

const number = (value: number) => value.toLocaleString('en-US')
const ms = (value: number) => `${Math.round(value)} ms`
const budgetOf = (most: number) => `at most ${most} ms`

/** A world file with leads that were loaded and called for one morning. Makes it unless one is given. */
export interface LargeWorld {
  leads: number
  file: string
}

async function makeLargeWorld(folder: string, leads: number): Promise<LargeWorld> {
  const file = join(folder, 'console.db')
  const service = await Service.start(file)
  try {
    await service.load(await newCampaign(service), leads)
    await service.control('POST', '/clock/advance', { by: '9h' })
    return { leads, file }
  } finally {
    await service.stop()
  }
}

async function newCampaign(service: Service): Promise<string> {
  const campaign = { name: 'Bench', lines, consent_required: false }
  return (await service.control<{ id: string }>('POST', '/campaigns', campaign)).id
}

const lists: readonly (readonly [what: string, query: string])[] = [
  ['a page of leads', ''],
  ['a page of scheduled leads', '?status=scheduled'],
  ['a page of queued leads', '?status=queued'],
  ['leads that wait for calling hours', '?reason=outside_calling_hours'],
  ['leads that wait for a retry', '?reason=retry_after_outcome'],
  ['leads with a reason that none has', '?reason=campaign_paused'],
  ['leads with a part of a name', '?text=Jordan'],
  ['leads with the first digits of a number', '?text=646201'],
  ['leads with a text that none has', '?text=nothing+like+it'],
]

interface Found {
  data: unknown[]
  meta: { next_cursor: string | null; is_partial: boolean }
}

/** Reads one page as the screen does: a search that stopped early is continued until the page is full. */
async function readPage(url: string): Promise<void> {
  let after = ''
  for (let count = 0; ;) {
    const { data, meta } = (await (await fetch(url + after)).json()) as Found
    count += data.length
    if (!meta.is_partial || count >= 50) return
    after = `&starting_after=${meta.next_cursor}`
  }
}

async function* listRows(service: Service, leads: number): AsyncGenerator<Row> {
  for (const [what, query] of lists) {
    const [first, whole]: [number[], number[]] = [[], []]
    const url = `${service.url}/_sim/leads${query === '' ? '?limit=50' : query}`
    for (let i = 0; i < rounds; i++) {
      first.push(await msOf(async () => (await fetch(url)).arrayBuffer()))
      whole.push(await msOf(() => readPage(url)))
    }
    const isSearch = median(whole) > 1.5 * median(first) + 5
    yield {
      what: `Console: ${what}, of ${number(leads)}`,
      beside: '',
      result: `${ms(median(first))}${isSearch ? `, ${ms(median(whole))} until every lead was searched` : ''}`,
      budget: budgetOf(listBudgetMs),
    }
  }
}

/** Records when the page has painted a frame with the data of its screen, in milliseconds since the navigation began. */
const paintRecorder = `
  globalThis.painted = new Promise((resolve) => {
    const look = () => {
      if (!document.querySelector('main section') || document.querySelector('.reading')) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    }
    const observer = new MutationObserver(look)
    observer.observe(document, { childList: true, subtree: true })
  })`

const paintMs = (page: Page): Promise<number> => page.evaluate<number>('painted')

async function* paintRows(browser: Browser, service: Service, leads: number): AsyncGenerator<Row> {
  const { data } = (await (await fetch(`${service.url}/_sim/leads?status=done`)).json()) as { data: { id: string }[] }
  const screens = { Now: '', Leads: 'leads', 'a lead': `leads/${data[0]?.id}`, Webhooks: 'webhooks' }
  const others = { Requests: 'requests', World: 'world', Figures: 'figures' }
  const page = await (await browser.newContext()).newPage()
  await page.addInitScript({ content: paintRecorder })
  for (const [name, path] of Object.entries({ ...screens, ...others })) {
    const all: number[] = []
    for (let i = 0; i < rounds; i++) {
      await page.goto(`${service.url}/console/${path}`)
      all.push(await paintMs(page))
    }
    yield {
      what: `Console: first paint of ${name} with its data, ${number(leads)} leads`,
      beside: '',
      result: `${ms(median(all))} (${ms(Math.min(...all))} to ${ms(Math.max(...all))})`,
      budget: budgetOf(paintBudgetMs),
    }
  }
  await page.context().close()
}

interface PushedDay {
  ms: number
  /** Processor time of the simulator, in seconds. */
  cpu: number
  heapMegabytes: number
}

/** Pushes a day over a copy of a file, with or without an open console. */
async function pushDay(source: string, file: string, browser: Browser | null): Promise<PushedDay> {
  copyFileSync(source, file)
  const service = await Service.start(file, 'kept')
  try {
    const page = await (await browser?.newContext())?.newPage()
    if (page) {
      await page.addInitScript({ content: paintRecorder })
      await page.goto(`${service.url}/console/`)
      await paintMs(page)
    }
    const before = cpuSecondsOf(service.child.pid)
    const spent = await msOf(() => service.control('POST', '/clock/advance', { by: '24h' }))
    const cpu = cpuSecondsOf(service.child.pid) - before
    const heap = (await page?.evaluate<number>('performance.memory.usedJSHeapSize')) ?? 0
    await page?.context().close()
    return { ms: spent, cpu, heapMegabytes: heap / 2 ** 20 }
  } finally {
    await service.stop()
  }
}

async function* pushRows(folder: string, browser: Browser): AsyncGenerator<Row> {
  const source = join(folder, 'console-day.db')
  const service = await Service.start(source)
  await service.load(await newCampaign(service), pushedLeads)
  await service.stop('SIGTERM')
  const [closed, open]: [PushedDay[], PushedDay[]] = [[], []]
  for (let i = 0; i < pushRounds; i++) {
    closed.push(await pushDay(source, join(folder, `closed-${i}.db`), null))
    open.push(await pushDay(source, join(folder, `open-${i}.db`), browser))
  }
  const medianOf = (days: PushedDay[], part: keyof PushedDay) => median(days.map((day) => day[part]))
  const day = `a pushed day over ${number(pushedLeads)} leads`
  yield* [
    {
      what: `Console: ${day} with the console open`,
      beside: 'the same with none open',
      result: `${times(medianOf(open, 'ms'), medianOf(closed, 'ms'))}; ${times(medianOf(open, 'cpu'), medianOf(closed, 'cpu'))} the processor time of the simulator`,
      budget: 'at most 1.05 times',
    },
    {
      what: `Console: heap of the tab after ${day}`,
      beside: '',
      result: `${Math.round(Math.max(...open.map((one) => one.heapMegabytes)))} MB`,
      budget: 'under 80 MB',
    },
  ]
}

function sizeRow(): Row {
  const folder = fileURLToPath(new URL('../dist/console/', import.meta.url))
  const sizes = readdirSync(folder).map((name) => gzipSync(readFileSync(join(folder, name)), { level: 9 }).length)
  const kilobytes = sizes.reduce((sum, size) => sum + size, 0) / 1_024
  return {
    what: 'Console: size of all its files, gzipped',
    beside: '',
    result: `${kilobytes.toFixed(1)} KB`,
    budget: 'at most 60 KB',
  }
}

type Measure = (given: { folder: string; browser: Browser; world: () => Promise<LargeWorld> }) => AsyncGenerator<Row>

/** Measures over a service of the large world. */
async function* overLargeWorld(
  world: () => Promise<LargeWorld>,
  measure: (service: Service, leads: number) => AsyncGenerator<Row>,
): AsyncGenerator<Row> {
  const { file, leads } = await world()
  const service = await Service.start(file, 'kept')
  try {
    yield* measure(service, leads)
  } finally {
    await service.stop()
  }
}

const parts: Readonly<Record<string, Measure>> = {
  async *start({ folder }) {
    yield* await measureConsoleStart(folder)
  },
  lists: ({ world }) => overLargeWorld(world, listRows),
  paint: ({ world, browser }) => overLargeWorld(world, (service, leads) => paintRows(browser, service, leads)),
  push: ({ folder, browser }) => pushRows(folder, browser),
}

export interface ConsoleRun {
  /** Takes each row as soon as it is known. */
  add: (row: Row) => void
  /** A large world that exists already. Without it, one with a million leads is made, or with LEADS leads. */
  given?: LargeWorld
  /** Only this part: start, lists, paint or push. */
  part?: string | undefined
}

export async function measureConsole(folder: string, { add, given, part }: ConsoleRun): Promise<void> {
  if (part !== undefined && !(part in parts))
    throw new Error(`${part}: not a part of this benchmark. Use ${Object.keys(parts).join(', ')}.`)
  add(sizeRow())
  if (!existsSync(folder) || !hasBrowser) return
  let made: Promise<LargeWorld> | undefined
  const world = () =>
    (made ??= given ? Promise.resolve(given) : makeLargeWorld(folder, Number(process.env.LEADS ?? 1_000_000)))
  const browser = await startBrowser()
  try {
    for (const [name, measure] of Object.entries(parts)) {
      if (part !== undefined && name !== part) continue
      for await (const row of measure({ folder, browser, world })) add(row)
    }
  } finally {
    await browser.close()
  }
}
