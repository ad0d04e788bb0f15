/** The console in trouble: hidden tabs, long and right-to-left names, large text, few rights, nothing to show. */
import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../support/browser.js'
import { ConsolePage, eventually, useBrowser } from '../support/console-page.js'
import { simulate, simulateAlone } from '../support/simulate.js'

const isTooWide = 'document.documentElement.scrollWidth > innerWidth'
const long = 'Maximiliane-Wolfeschlegelsteinhausenbergerdorff'

const selected = `(({ selectionStart, selectionEnd }) => selectionEnd - selectionStart)(document.querySelector('dialog textarea'))`

/** Tells the page that it went out of sight, or came back. */
const setHidden = (isHidden: boolean) => `
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} })
  document.dispatchEvent(new Event('visibilitychange'))`

describe.skipIf(!hasBrowser)('the console', () => {
  const browser = useBrowser()

  it('reads nothing in a hidden tab, and shows the present when it is seen again', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim)
    const ended = console.page.waitForEvent('requestfailed', (request) => request.url().includes('/_sim/pulse'))
    await console.page.evaluate(setHidden(true))
    await ended
    const asked: string[] = []
    console.page.on('request', (request) => asked.push(request.url()))
    await sim.advance('1h')
    await sim.lead({ name: 'Ann' })
    expect(asked).toEqual([])
    await console.page.evaluate(setHidden(false))
    await console.page.getByText('16:00:00').first().waitFor()
    await console.page.getByRole('link', { name: 'Ann' }).first().waitFor()
    expect(console.problems).toEqual([])
  })

  it('holds long, right-to-left and markup names, at 360 px and with text twice as large', async () => {
    const sim = await simulateAlone()
    const names = [long, 'محمد عبد الله الطويل', '<b>bold</b><script>alert(1)</script>', 'x'.repeat(200)]
    const ids: string[] = []
    for (const name of names) ids.push((await sim.lead({ name, fields: { [long]: 'y'.repeat(300) } })).id)
    await sim.campaign({ name: `${long} campaign` })
    await sim.control('POST', '/_sim/organizations', { name: `${long} Corp` })
    await sim.control('POST', '/_sim/worlds', { name: long.slice(0, 40), from: 'main' })
    await sim.control('POST', '/_sim/snapshots', { name: 's'.repeat(40) })
    // Chromium zooms to 200 % by halving the width of the page.
    const console = await ConsolePage.open(browser(), sim, '', { width: 360 })
    for (const path of ['', 'leads', ...ids.map((id) => `leads/${id}`), 'world', 'requests', 'figures']) {
      await console.goTo(`${sim.url}/console/${path}`)
      expect([path, await console.page.evaluate(isTooWide)]).toEqual([path, false])
    }
    await console.page.setViewportSize({ width: 640, height: 400 })
    await console.goTo(`${sim.url}/console/leads`)
    expect(await console.page.evaluate(isTooWide)).toBe(false)
    await console.page.getByRole('link', { name: names[2] ?? '' }).waitFor()
    expect(await console.page.locator('main b, main script').count()).toBe(0)
    expect(console.problems).toEqual([])
  })

  it('shows a campaign whose hours never open, and says so for its lead', async () => {
    const sim = await simulate()
    await sim.changeCampaign({ calling_hours: {} })
    const { id } = await sim.lead({ name: 'Ann' })
    const console = await ConsolePage.open(browser(), sim)
    await console.page
      .getByRole('region', { name: 'Calling hours' })
      .getByText(/closed/)
      .waitFor()
    await console.goTo(`${sim.url}/console/leads/${id}`)
    await console.page.getByText('never open there').first().waitFor()
    await console.goTo(`${sim.url}/console/world`)
    await console.page.getByText('Calling hours, in the time zone of the lead').first().click()
    await console.press('tue 10:00')
    await console.press('Discard')
    expect(await console.button('tue 10:00').getAttribute('aria-pressed')).toBe('false')
    expect(console.problems).toEqual([])
  })

  it('moves nothing by itself for people who want less motion', async () => {
    const sim = await simulate()
    const console = await ConsolePage.open(browser(), sim)
    await console.page.emulateMedia({ reducedMotion: 'reduce' })
    const moving = await console.page.evaluate<string[]>(
      `[...document.querySelectorAll('*')].filter((one) => {
        const { animationName, transitionDuration } = getComputedStyle(one)
        return animationName !== 'none' || parseFloat(transitionDuration) > 0
      }).map((one) => one.className)`,
    )
    expect(moving).toEqual([])
  })

  it('copies without permission for the clipboard: the text is shown, selected', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    const console = await ConsolePage.open(browser(), sim, `leads/${id}`)
    await console.page.evaluate(
      `navigator.clipboard.writeText = () => Promise.reject(new DOMException('no', 'NotAllowedError'))`,
    )
    await console.press('Copy id')
    const text = console.page.getByLabel('Text to copy')
    expect(await text.inputValue()).toBe(id)
    await eventually(() => console.page.evaluate(selected)).toBe(id.length)
    await console.page.keyboard.press('Escape')
    await text.waitFor({ state: 'detached' })
  })

  it('says that a lead, or a delivery, of the address does not exist', async () => {
    const sim = await simulate()
    const unknown = '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11'
    const console = await ConsolePage.open(browser(), sim)
    for (const path of [`leads/${unknown}`, `webhooks/${unknown}`, 'leads/no-lead']) {
      await console.page.goto(`${sim.url}/console/${path}`)
      await console.page.getByRole('alert').first().waitFor()
    }
    expect(console.problems).toEqual([])
  })
})
