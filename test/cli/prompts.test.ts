/** Questions at a terminal: lists that typing filters, answers that are checked, and optional values. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Lead } from '../../src/contract/leads.js'
import { SvcAt } from '../support/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/terminal.js'

const enter = '\r'
const clearLine = '\u0015'

function start(at: SvcAt, args: readonly string[], env: Record<string, string> = {}): TerminalSvc {
  return new TerminalSvc(at.svc, args, { env: { ...at.env, CI: '', ...env }, columns: 120 })
}

describe.runIf(hasTerminals)('a question at a terminal', () => {
  it('filters a list by what is typed', async () => {
    const at = await SvcAt.start({}, 'test')
    await at.simulation.campaign({ name: 'Spring offers' })
    const { id } = await at.simulation.campaign({ name: 'Zebra crossing' })
    const terminal = start(at, ['campaigns', 'get', '--json'])
    await terminal.shows(/Campaign:[^]*Spring offers/)
    terminal.type('zebra')
    await terminal.shows(/zebra[^]*Zebra crossing/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toContain(`campaigns get --json ${id}`)
  })

  it('offers recent leads, and takes any other by what is typed', async () => {
    const at = await SvcAt.start({}, 'test')
    const ann = await at.simulation.lead({ name: 'Ann Lee', phone: '+12125557812' }, at.client)
    await at.simulation.lead({ name: 'Bo', phone: '+12125557813', external_id: 'crm-7' }, at.client)
    const first = start(at, ['leads', 'get', '--json'])
    await first.shows(/Lead .*:[^]*Ann Lee, \+12125557812/)
    first.type('ann')
    await first.shows(/ann[^]*Ann Lee/)
    first.type(enter)
    expect((await first.end()).screen).toContain(ann.id)
    const second = start(at, ['leads', 'get', '--json'])
    await second.shows(/Lead .*:[^]*Ann Lee/)
    second.type('no-such-lead')
    await second.shows(/Use no-such-lead/)
    second.type(enter)
    expect(await second.end()).toMatchObject({ code: 3 })
  })

  it('asks again after a bad phone number, and for the name that people expect', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['leads', 'add', '--campaign', at.simulation.campaignId])
    await terminal.shows(/Phone:/)
    terminal.type(`12${enter}`)
    await terminal.shows(/That is not a phone number/)
    terminal.type(`${clearLine}(212) 555-7812${enter}`)
    await terminal.shows(/Name \(optional\):/)
    terminal.type(`Ann Lee${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain("--phone '(212) 555-7812' --name 'Ann Lee'")
    const [lead] = (await at.client.get<Lead[]>('/leads')).data
    expect(lead).toMatchObject({ name: 'Ann Lee', phone: '+12125557812' })
  })

  it('leaves an optional value out when nothing is typed, and does not ask for it when nothing is missing', async () => {
    const at = await SvcAt.start({}, 'test')
    const asked = start(at, ['leads', 'add', '--campaign', at.simulation.campaignId])
    await asked.shows(/Phone:/)
    asked.type(`2125557812${enter}`)
    await asked.shows(/Name \(optional\):/)
    asked.type(enter)
    expect(await asked.end()).toMatchObject({ code: 0 })
    const whole = start(at, ['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', '+12125557813'])
    const { screen, code } = await whole.end()
    expect(code).toBe(0)
    expect(screen).not.toContain('optional')
  })

  it('takes a file in quotes or below ~, and asks again for one that is not there', async () => {
    const at = await SvcAt.start({}, 'test')
    writeFileSync(join(at.svc.folder, 'my leads.csv'), 'phone\n+12125557812\n')
    const env = { HOME: at.svc.folder }
    const terminal = start(at, ['dnc', 'import', '--yes'], env)
    await terminal.shows(/File:/)
    terminal.type(`nothing.csv${enter}`)
    await terminal.shows(/There is no file nothing\.csv/)
    terminal.type(`${clearLine}"~/my leads.csv"${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect((await at.client.get<unknown[]>('/dnc')).data).toHaveLength(1)
  })
})
