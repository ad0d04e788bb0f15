/** `leads update` at a terminal without flags: which values change is asked for. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

const enter = '\r'
const before = {
  name: 'Ann Lee',
  email: 'ann@example.com',
  phone: '+12125557812',
  fields: { city: 'Pasadena', email: 'x' },
}

async function start(more: object = {}) {
  const at = await SvcAt.start({ paused: true }, 'test')
  await at.simulation.changeCampaign({ status: 'paused' })
  const { id } = await at.simulation.lead({ ...before, ...more }, at.client)
  const env = { ...at.env, CI: '', NO_COLOR: '1' }
  const open = (...words: string[]) => new TerminalSvc(at.svc, ['leads', 'update', ...words], { env, columns: 160 })
  const lead = () => at.simulation.readLead(id, at.client)
  return { at, id, open, lead }
}

describe.runIf(hasTerminals)('leads update at a terminal', () => {
  it('lists the values with what they are, asks for new ones, and saves them together', async () => {
    const { id, open, lead } = await start()
    const terminal = open()
    await terminal.shows(/Lead \(type a name/)
    terminal.type(enter)
    await terminal.shows(
      /name: Ann Lee[^]*email: ann@example\.com[^]*address: none[^]*external id: none[^]*city: Pasadena/,
    )
    terminal.type(`name${enter}`)
    await terminal.shows(/New name, or - for none \(Ann Lee\):/)
    terminal.type(`Ann Park${enter}`)
    await terminal.shows(/Next value to change[^]*save 1 change[^]*name: Ann Lee → Ann Park/)
    terminal.type(`email: ann@example.com${enter}`)
    await terminal.shows(/New email, or - for none \(ann@example\.com\):/)
    terminal.type(`-${enter}`)
    await terminal.shows(/save 2 changes/)
    terminal.type(`a new custom field${enter}`)
    await terminal.shows(/Name of the custom field:/)
    terminal.type(`state${enter}`)
    await terminal.shows(/New state, or - for none:/)
    terminal.type(`CA${enter}`)
    await terminal.shows(/save 3 changes/)
    terminal.type(enter)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(stripVTControlCharacters(screen)).toContain(
      `svc leads update ${id} --name 'Ann Park' --field state=CA --clear email`,
    )
    expect(await lead()).toMatchObject({ name: 'Ann Park', email: null, fields: { ...before.fields, state: 'CA' } })
  })

  it('keeps a value at the Enter key, and offers no other external id', async () => {
    const { id, open, lead } = await start({ external_id: 'crm-1' })
    const terminal = open(id)
    await terminal.shows(/Value to change[^]*city: Pasadena/)
    terminal.type(`city${enter}`)
    await terminal.shows(/New city, or - for none \(Pasadena\):/)
    terminal.type(enter)
    await terminal.shows(/\(Pasadena\): [^]*Value to change/)
    terminal.type('\u0003')
    const { screen, code } = await terminal.end()
    expect(code).toBe(130)
    expect(screen).not.toMatch(/external id|save/)
    expect(await lead()).toMatchObject(before)
  })

  it('removes a custom field that is called like a value of the lead', async () => {
    const { id, open, lead } = await start()
    const terminal = open(id)
    await terminal.shows(/Value to change/)
    terminal.type(`email: x${enter}`)
    await terminal.shows(/New email, or - for none \(x\):/)
    terminal.type(`-${enter}`)
    await terminal.shows(/save 1 change/)
    terminal.type(enter)
    expect((await terminal.end()).code).toBe(0)
    expect(await lead()).toMatchObject({ email: before.email, fields: { city: 'Pasadena' } })
  })
})

describe('leads update in a script', () => {
  it('without a change exits 2 before any request', async () => {
    const { at, id } = await start()
    expect(await at.run(['leads', 'update', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Nothing to change was named.') as string,
    })
  })
})
