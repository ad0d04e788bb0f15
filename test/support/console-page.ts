/** A page of the console in a real browser. */
import { afterAll, beforeAll, expect } from 'vitest'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { startBrowser } from './browser.js'
import { afterEachTest } from './ends.js'
import type { Simulation } from './simulate.js'

export interface PageOptions {
  colorScheme?: 'light' | 'dark'
  width?: number
  /** False for a browser that gives pages no clipboard. Then copied texts are shown, and tests can read them. */
  clipboard?: boolean
}

/** Reads until the matcher fits. A busy machine may take long. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read, { timeout: 45_000 })

const opened: BrowserContext[] = []
afterEachTest(async () => {
  for (const context of opened.splice(0)) await context.close()
})

/** Starts one browser for the tests of a file. */
export function useBrowser(): () => Browser {
  let browser: Browser | undefined
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(async () => {
    await browser?.close()
  })
  return () => {
    if (!browser) throw new Error('the browser has not started')
    return browser
  }
}

export class ConsolePage {
  /** What went wrong in the page: exceptions, and requests that the content security policy refused. */
  readonly problems: string[] = []

  private constructor(readonly page: Page) {
    page.on('pageerror', (error) => this.problems.push(String(error)))
    page.on('console', (message) => {
      if (/Content Security Policy/.test(message.text())) this.problems.push(message.text())
    })
  }

  /** Opens a screen and waits until its data is shown. */
  static async open(
    browser: Browser,
    sim: Pick<Simulation, 'url'>,
    path = '',
    { colorScheme = 'light', width = 1_280, clipboard = true }: PageOptions = {},
  ): Promise<ConsolePage> {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 } })
    opened.push(context)
    if (!clipboard) await context.addInitScript({ content: 'delete Navigator.prototype.clipboard' })
    const shown = new ConsolePage(await context.newPage())
    await shown.goTo(`${sim.url}/console/${path}`)
    return shown
  }

  async goTo(url: string): Promise<void> {
    await this.page.goto(url)
    await this.page.getByRole('region', { name: 'Clock' }).waitFor()
    await this.isRead()
  }

  /** Waits until the screen has read its data. */
  async isRead(): Promise<void> {
    await this.page.locator('main section').first().waitFor()
    await eventually(() => this.page.locator('.reading').count()).toBe(0)
  }

  button(name: string, within: Page | Locator = this.page): Locator {
    return within.getByRole('button', { name, exact: true })
  }

  async press(name: string): Promise<void> {
    await this.button(name).first().click()
  }

  get dialog(): Locator {
    return this.page.getByRole('dialog')
  }

  /** Presses a button that opens a form, fills it, and sends it. */
  async fill(name: string, values: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.#openForm(name, values)
    await this.button(name, this.dialog).click()
    await this.dialog.waitFor({ state: 'detached' })
  }

  async #openForm(name: string, values: Readonly<Record<string, string>>): Promise<void> {
    await this.press(name)
    for (const [label, value] of Object.entries(values)) {
      const field = this.dialog.getByLabel(label, { exact: true })
      await field.waitFor()
      const isSelect = (await field.and(this.page.locator('select')).count()) > 0
      if (isSelect) await field.selectOption(value)
      else await field.fill(value)
    }
  }

  /** The `svc` command that a button shows while it has the focus. */
  async commandOf(name: string): Promise<string> {
    const button = this.button(name).first()
    await button.blur()
    await button.focus()
    return this.page.getByRole('contentinfo').locator('code').innerText()
  }

  /** The `svc` command that a form shows for these values. Sends nothing. */
  async commandOfForm(name: string, values: Readonly<Record<string, string>> = {}): Promise<string> {
    await this.#openForm(name, values)
    const command = await this.dialog.locator('.commands code').first().textContent()
    await this.page.keyboard.press('Escape')
    await this.dialog.waitFor({ state: 'detached' })
    return command ?? ''
  }

  /** Presses a copy button and returns the text. Only without a clipboard. */
  async copied(name: string): Promise<string> {
    await this.press(name)
    const text = await this.page.getByLabel('Text to copy').inputValue()
    await this.button('Close', this.dialog).click()
    await this.dialog.waitFor({ state: 'detached' })
    return text
  }

  /** Presses a button that asks, and agrees. */
  async agree(name: string): Promise<void> {
    await this.press(name)
    await this.button(name, this.dialog).click()
    await this.dialog.waitFor({ state: 'detached' })
  }

  async follow(name: string): Promise<void> {
    await this.page.getByRole('link', { name, exact: true }).first().click()
    await this.isRead()
  }
}
