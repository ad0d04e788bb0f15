/** Worlds in the console: created, forked, compared and deleted, and the page of each below its path. */
import { describe, expect, it } from 'vitest'
import type { WorldInList } from '../../src/contract/control/worlds.js'
import { hasBrowser } from '../support/browser.js'
import { ConsolePage, eventually, useBrowser } from '../support/console-page.js'
import { Svc } from '../support/programs/svc.js'
import { simulateAlone, type Simulation } from '../support/simulate.js'

const worldsOf = (sim: Simulation) => sim.control<WorldInList[]>('GET', '/_sim/worlds')
const otherWorld = async (sim: Simulation): Promise<WorldInList | undefined> => (await worldsOf(sim))[1]

describe.skipIf(!hasBrowser)('the worlds of the console', () => {
  const browser = useBrowser()

  it('are forked, opened, compared and deleted', async () => {
    const sim = await simulateAlone()
    const { id: lead } = await sim.lead({ name: 'Ann' })
    const console = await ConsolePage.open(browser(), sim, 'world')
    await console.fill('Fork', { Name: 'what if' })
    const fork = await otherWorld(sim)
    expect(fork).toMatchObject({ name: 'what if', from: 'main', leads: 1, expires_at: null })
    await console.page.getByRole('link', { name: 'what if', exact: true }).click()
    await console.page.waitForURL(`**/w/${fork?.id}/console/world`)
    await console.isRead()
    expect(await console.page.title()).toContain('what if')
    await console.follow('Leads')
    await console.page.getByRole('link', { name: 'Ann', exact: true }).click()
    await console.press('Take out')
    await console.page.getByText('out of queue').first().waitFor()
    await console.press('+1 h')
    await console.page.getByText('16:00:00').first().waitFor()
    expect(sim.now).toBe('2026-10-01T15:00:00.000Z')
    expect((await sim.readLead(lead)).status).not.toBe('out_of_queue')
    await console.page.getByLabel('World', { exact: true }).selectOption('main')
    await console.page.waitForURL(/\/\/[^/]+\/console\/leads/)
    await console.follow('World')
    await console.fill('Compare', { With: fork?.id ?? '' })
    await console.page.getByText('they differ').waitFor()
    await console.page.getByText('1 leads differ').click()
    await console.page.getByRole('cell', { name: 'out_of_queue' }).first().waitFor()
    await console.press('Close the comparison')
    await console.agree('Delete world')
    await eventually(async () => (await worldsOf(sim)).length).toBe(1)
    expect(console.problems).toEqual([])
  })

  it('are created, and say where to go once they are deleted', async () => {
    const sim = await simulateAlone()
    const console = await ConsolePage.open(browser(), sim, 'world')
    await console.fill('Add world', { Name: 'checkout' })
    const world = await otherWorld(sim)
    expect(world).toMatchObject({ name: 'checkout', leads: 0 })
    await console.goTo(`${sim.url}/w/${world?.id}/console/`)
    await sim.ask('DELETE', `/_sim/worlds/${world?.id}`)
    await console.page.getByText('This world does not exist any more.').waitFor()
    await console.page.getByRole('link', { name: 'Go to the main world' }).click()
    await console.page.getByText('There is no lead yet.').waitFor()
  })

  it('show commands that do the same', async () => {
    const sim = await simulateAlone()
    const svc = new Svc()
    const console = await ConsolePage.open(browser(), sim, 'world')
    const run = async (line: string) => (await svc.shell(line)).code
    expect(await run(await console.commandOfForm('Add world', { Name: 'a b' }))).toBe(0)
    expect(await run(await console.commandOfForm('Fork', { Name: 'copy' }))).toBe(0)
    expect((await worldsOf(sim)).map(({ name, from }) => [name, from])).toMatchObject([
      [null, 'start'],
      ['a b', 'start'],
      ['copy', 'main'],
    ])
    await console.goTo(`${sim.url}/console/world`)
    expect(await run(await console.commandOfForm('Compare'))).toBe(0)
    expect(await run(await console.commandOf('Delete world'))).toBe(0)
    expect(await worldsOf(sim)).toHaveLength(2)
  })
})
