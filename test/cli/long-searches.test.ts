/** Searches and counts that read many pages of a service. */
import { describe, expect, it } from 'vitest'
import { Svc } from '../support/programs/svc.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'
import { json, stubServer } from '../support/servers/stub-server.js'

const campaign = { id: '826568dd-2612-4886-ba0a-fbdca0d4f424', name: 'Web leads', status: 'paused' }

/**
 * A service whose list of leads never ends, or ends after a number of pages with one lead each. The page `hanging` has no
 * answer.
 */
const serviceWith = (pages: number, hanging?: number) =>
  stubServer(({ path, method }, response) => {
    if (method === 'GET' && path.startsWith('/campaigns')) return json(response, 200, { data: [campaign] })
    if (path.startsWith('/dnc/check'))
      return json(response, 200, { data: { phone: '', normalizedPhone: null, onDncList: false } })
    if (!path.startsWith('/leads?')) return json(response, 404, { error: { code: 'not_found', message: 'None.' } })
    if (path.includes('external_id=')) return json(response, 404, { error: { code: 'not_found', message: 'None.' } })
    const page = Number(/starting_after=(\d+)/.exec(path)?.[1] ?? 0) + 1
    if (page === hanging) return
    const about = { phone: '+13105557812', name: 'Ann', status: 'queued', calls: [] }
    const lead = { id: String(page), campaign_id: campaign.id, ...about }
    const more = page < pages
    json(response, 200, { data: [lead], meta: { has_more: more, next_cursor: more ? String(page) : null } })
  })

describe('a search by phone', () => {
  const wanted = ['leads', 'get', '+12125557812']

  it.each([
    [3, ''],
    [
      4,
      'Searching for +12125557812: 3 leads read. An id or external id is faster.\n' +
        'Searching for +12125557812: all 4 leads read.\n',
    ],
  ])('of %i pages says how far it is, and that it is complete, only after three', async (pages, note) => {
    const { baseUrl } = await serviceWith(pages)
    const { stderr, code } = await new Svc().run(wanted, { env: { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' } })
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: expect.stringMatching(
        new RegExp(`^${note.replaceAll(/[+.]/g, String.raw`\$&`)}Error: There is no lead`),
      ) as string,
    })
  })
})

describe.runIf(hasTerminals)('campaigns start at a terminal with a live key', () => {
  it('counts 50 pages of waiting people, and then says at least', async () => {
    const { baseUrl, asked } = await serviceWith(Infinity)
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_live_a', NO_COLOR: '1', CI: '' }
    const words = ['campaigns', 'start', campaign.id]
    const terminal = new TerminalSvc(new Svc(), words, { env, columns: 200 })
    await terminal.shows(/Start the campaign Web leads at \S+, so that it can call at least 50 people\?/)
    terminal.type('n\r')
    const { screen, code } = await terminal.end()
    expect(screen).toContain('Counting the waiting leads: 3 read.')
    expect(code).toBe(2)
    expect(asked.filter(({ path }) => path.startsWith('/leads?'))).toHaveLength(50)
    expect(asked.some(({ method }) => method === 'POST')).toBe(false)
  })
})

describe.runIf(hasTerminals)('dnc add at a terminal', () => {
  const add = async (pages: number, phone = '+12125557812', hanging?: number) => {
    const { baseUrl, asked } = await serviceWith(pages, hanging)
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', NO_COLOR: '1', CI: '' }
    const terminal = new TerminalSvc(new Svc(), ['dnc', 'add', phone], { env, columns: 300 })
    return { terminal, asked }
  }

  it('says which leads it read if none of them has the number and there are more, and how to look further', async () => {
    const { terminal, asked } = await add(Infinity)
    await terminal.shows(/Comparing with the latest leads, up to 5,000\. Ctrl-C skips the rest\./)
    await terminal.shows(/None of the latest 50 leads has this number, and there are more\./)
    await terminal.shows(
      /found by its id or external_id \(svc leads get\), or by svc leads get \+12125557812, which reads all of them\. Block/,
    )
    terminal.type('n\r')
    expect(await terminal.end()).toMatchObject({ code: 2 })
    expect(asked.some(({ method }) => method === 'POST')).toBe(false)
  })

  it.each([
    [1, /No leads were compared\. Block \+12125557812/],
    [3, /None of the latest 2 leads has this number, and there are more\./],
  ])('asks before it goes on if Ctrl-C ends the search: page %i', async (page, says) => {
    const { terminal, asked } = await add(Infinity, '+12125557812', page)
    await expect.poll(() => asked.filter(({ path }) => path.startsWith('/leads?')).length).toBe(page)
    terminal.type('\u0003')
    await terminal.shows(says)
    await terminal.shows(/\(y\/N\)/)
    terminal.type('n\r')
    expect(await terminal.end()).toMatchObject({ code: 2 })
    expect(asked.some(({ method }) => method === 'POST')).toBe(false)
  })

  it('says that older leads may have the number too after a lead that it found', async () => {
    const { terminal } = await add(Infinity, '+13105557812')
    await terminal.shows(
      /This is the number of Ann, a lead of "Web leads" \(not called yet\), and of 49 more leads\. Only the latest 50 leads were read: older ones may have it too\. Block/,
    )
    terminal.type('n\r')
    expect(await terminal.end()).toMatchObject({ code: 2 })
  })

  it('asks nothing with a test key if no lead at all has the number', async () => {
    const { terminal, asked } = await add(10)
    expect((await terminal.end()).screen).not.toContain('Block')
    expect(asked.some(({ method }) => method === 'POST')).toBe(true)
  })
})

describe('events get', () => {
  it('finds an event of the last 30 days, and none that is older', async () => {
    const at = await SvcAt.start({ paused: true })
    await at.simulation.lead({}, at.client)
    const [event] = await at.simulation.events(at.client)
    await at.simulation.advance('29d')
    expect(await at.run(['events', 'get', event!.id])).toMatchObject({ code: 0 })
    await at.simulation.advance('2d')
    const resend = ['events', 'resend', event!.id, '--forward-to', '1']
    for (const words of [['events', 'get', event!.id], resend])
      expect(await at.run(words)).toMatchObject({
        code: 3,
        stderr: expect.stringContaining('in the last 30 days.') as string,
      })
  })
})
