/**
 * Measures the console: the first paint of each screen and each page of leads over a large file, and the cost of an open
 * console during a pushed day. Usage: node --import tsx bench/console.ts [leads] [leads of the pushed day]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { startBrowser } from '../test/support/browser.js'
import { median, msOf } from './row.js'
import { Service } from './service.js'

const [leads = 1_000_000, pushedLeads = 100_000] = process.argv.slice(2).map(Number)
const rounds = 7
const print = (what: string, result: string) => process.stdout.write(`${what.padEnd(64)} ${result}\n`)
const ms = (value: number) => `${Math.round(value)} ms`

const listQueries = [
  '',
  '?status=scheduled',
  '?status=queued',
  '?reason=outside_calling_hours',
  '?reason=campaign_paused',
  '?text=Lead',
  '?text=nothing+like+it',
  '?text=646201',
  '?text=2125550',
]

async function measureLists(service: Service): Promise<void> {
  for (const query of listQueries) {
    const all: number[] = []
    for (let i = 0; i < rounds; i++)
      all.push(await msOf(async () => (await fetch(`${service.url}/_sim/leads${query}`)).arrayBuffer()))
    print(`GET /_sim/leads${query}`, `${ms(median(all))}, at most ${ms(Math.max(...all))}`)
  }
}

/** Waits until the screen shows its data. The page allows no code in texts, so elements are waited for. */
async function isShown(page: Page): Promise<void> {
  await page.locator('main section').first().waitFor()
  for (const reading of await page.locator('.reading').all()) await reading.waitFor({ state: 'detached' })
}

/** From the start of the navigation until the data of the screen is painted. */
async function paintMs(page: Page, url: string): Promise<number> {
  return msOf(async () => {
    await page.goto(url, { waitUntil: 'commit' })
    await isShown(page)
  })
}

async function measureScreens(browser: Browser, service: Service): Promise<void> {
  const page = await browser.newPage()
  const list = (await (await fetch(`${service.url}/_sim/leads`)).json()) as { data: { id: string }[] }
  for (const path of ['', 'leads', `leads/${list.data[0]?.id}`, 'webhooks', 'requests', 'world', 'figures']) {
    const all: number[] = []
    for (let i = 0; i < rounds; i++) all.push(await paintMs(page, `${service.url}/console/${path}`))
    print(
      `first paint of /console/${path.replace(/[0-9a-f-]{36}/, '{id}')}`,
      `${ms(median(all))}, at most ${ms(Math.max(...all))}`,
    )
  }
  await page.close()
}

/** Seconds of a pushed day over leads that are called, with or without an open console. */
async function pushedDay(file: string, browser: Browser | null): Promise<{ seconds: number; heap: number | null }> {
  const service = await Service.start(file)
  try {
    const campaign = { name: 'Bench', lines: 250, consent_required: false }
    const { id } = await service.control<{ id: string }>('POST', '/campaigns', campaign)
    await service.load(id, pushedLeads)
    const page = await browser?.newPage()
    await page?.goto(`${service.url}/console/`)
    if (page) await isShown(page)
    const spent = await msOf(() => service.control('POST', '/clock/advance', { by: '24h' }))
    const heap = (await page?.evaluate<number>('performance.memory.usedJSHeapSize')) ?? null
    await page?.close()
    return { seconds: spent / 1_000, heap }
  } finally {
    await service.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bench-console-'))
const browser = await startBrowser()
try {
  const service = await Service.start(join(folder, 'large.db'))
  try {
    const { id } = await service.control<{ id: string }>('POST', '/campaigns', {
      name: 'Bench',
      lines: 5,
      consent_required: false,
    })
    print(`loading ${leads.toLocaleString('en-US')} leads`, ms(await msOf(() => service.load(id, leads))))
    await measureLists(service)
    await measureScreens(browser, service)
  } finally {
    await service.stop()
  }
  for (const round of [1, 2]) {
    const closed = await pushedDay(join(folder, `closed-${round}.db`), null)
    const open = await pushedDay(join(folder, `open-${round}.db`), browser)
    const megabytes = open.heap === null ? '' : `, heap of the tab ${Math.round(open.heap / 2 ** 20)} MB`
    print(
      `a pushed day over ${pushedLeads.toLocaleString('en-US')} leads`,
      `${closed.seconds.toFixed(2)} s; console open ${open.seconds.toFixed(2)} s${megabytes}`,
    )
  }
} finally {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
}
