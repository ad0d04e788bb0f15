/** Lists to pick from at a terminal: Enter takes what was typed, never another number or id that only contains it. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { offerChoices } from '../../../src/cli/input/questions/offered-choices.js'
import { offerLeads } from '../../../src/cli/lookup/lead-choices.js'
import type { Lead } from '../../../src/contract/leads.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const tab = '\t'

function start(at: SvcAt, args: readonly string[], env: Record<string, string> = {}): TerminalSvc {
  return new TerminalSvc(at.svc, args, { env: { ...at.env, CI: '', NO_COLOR: '1', ...env }, columns: 120 })
}

const shown = (screen: string) => stripVTControlCharacters(screen)

/** The lead crm-13, and 60 newer ones, of which one is crm-137. */
async function startWithManyLeads() {
  const at = await SvcAt.start({ paused: true }, 'test')
  await at.simulation.changeCampaign({ status: 'paused' })
  const wanted = await at.simulation.lead(
    { name: 'Lead 13', phone: '+12125557813', external_id: 'crm-13', email: 'thirteen@example.com' },
    at.client,
  )
  const leads = Array.from({ length: 60 }, (_, nth) => ({
    name: `Lead ${nth + 100}`,
    phone: `+1415555${String(2000 + nth)}`,
    external_id: `crm-${nth + 100}`,
  }))
  const { data } = await at.client.post<{ succeeded: number }>('/leads/batch', {
    campaign_id: at.simulation.campaignId,
    leads,
  })
  expect(data.succeeded).toBe(60)
  return { at, wanted }
}

describe.runIf(hasTerminals)('a list of the latest leads', () => {
  it('says that it is not complete, and looks up what was typed before an entry that only contains it', async () => {
    const { at, wanted } = await startWithManyLeads()
    const terminal = start(at, ['leads', 'opt-out'])
    await terminal.shows(/The latest 50 leads:[^]*Lead 159/)
    terminal.type('crm-13')
    await terminal.shows(/❯ Look up "crm-13"[^]*crm-13\d/)
    terminal.type(enter)
    await terminal.shows(/Never call this lead again, from any campaign \(Lead 13, \+12125557813/)
    terminal.type(`y${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    const out = (await at.client.get<Lead[]>('/leads?status=out_of_queue')).data
    expect(out.map(({ id }) => id)).toEqual([wanted.id])
  })

  it('takes the entry whose external id, phone or name is typed', async () => {
    const { at } = await startWithManyLeads()
    for (const [typed, name] of [
      ['crm-137', 'Lead 137'],
      ['(415) 555-2037', 'Lead 137'],
      ['lead 137', 'Lead 137'],
    ] as const) {
      const terminal = start(at, ['leads', 'get', '--json'])
      await terminal.shows(/The latest 50 leads:/)
      terminal.type(typed)
      await terminal.shows(new RegExp(`❯ ${name}, `))
      terminal.type(enter)
      expect(shown((await terminal.end()).screen)).toContain(`"name": "${name}"`)
    }
  })

  it('finds a lead that is not among the latest ones by a part of its name or e-mail, and shows it first', async () => {
    const { at } = await startWithManyLeads()
    await at.simulation.lead({ name: 'Zoe Quist', phone: '+12125557814' }, at.client)
    const { data } = await at.client.post<{ succeeded: number }>('/leads/batch', {
      campaign_id: at.simulation.campaignId,
      leads: Array.from({ length: 55 }, (_, nth) => ({ name: `New ${nth}`, phone: `+1646555${String(2000 + nth)}` })),
    })
    expect(data.succeeded).toBe(55)
    for (const [typed, name] of [
      ['zoe', 'Zoe Quist'],
      ['thirteen@', 'Lead 13'],
    ] as const) {
      const terminal = start(at, ['leads', 'get', '--json'])
      await terminal.shows(/The latest 50 leads:[^]*New 54/)
      terminal.type(typed)
      await terminal.shows(new RegExp(`❯ ${name}, [^\n]*\n[^\n]*Look up "${typed}"`))
      terminal.type(enter)
      expect(shown((await terminal.end()).screen)).toContain(`"name": "${name}"`)
    }
  })

  it('completes the name of the entry at Tab, and never the text of a line', async () => {
    const { at } = await startWithManyLeads()
    const terminal = start(at, ['leads', 'get', '--json'])
    await terminal.shows(/❯ Lead 159/)
    terminal.type(`crm-13${tab}`)
    await terminal.shows(/❯ Look up "crm-13"/)
    terminal.type('7')
    await terminal.shows(/❯ Lead 137, /)
    terminal.type(tab)
    await terminal.shows(/external id or id\): Lead 137\s*\n/)
    terminal.type(enter)
    const screen = shown((await terminal.end()).screen)
    expect(screen).toContain('"name": "Lead 137"')
    expect(screen).not.toMatch(/external id or id\): Look up/)
  })

  it('takes pasted text with its Enter for exactly this text, and asks if several leads match', async () => {
    const { at } = await startWithManyLeads()
    for (const text of ['crm-13', '(212) 555-7813', 'crm-137']) {
      const terminal = start(at, ['leads', 'get', '--json'])
      await terminal.shows(/The latest 50 leads:/)
      terminal.type(`${text}${enter}`)
      expect(shown((await terminal.end()).screen)).toContain(`"name": "Lead ${text === 'crm-137' ? '137' : '13'}"`)
    }
    const several = start(at, ['leads', 'get', '--json'])
    await several.shows(/The latest 50 leads:/)
    several.type(`lead${enter}`)
    await several.shows(/61 leads match "lead":/)
    several.type('\u0003')
    expect(await several.end()).toMatchObject({ code: 130 })
  })

  it('of campaigns is shown after pasted text that is only a part of a name', async () => {
    const { at } = await startWithManyLeads()
    const terminal = start(at, ['leads', 'add'])
    await terminal.shows(/Campaign:[^]*❯ Web leads/)
    terminal.type(`web${enter}`)
    await terminal.shows(/Campaign: web\s*\n[^]*❯ Web leads/)
    terminal.type(enter)
    await terminal.shows(/Phone:/)
    terminal.type('\u0003')
    expect(shown((await terminal.end()).screen)).toContain('Campaign: Web leads (paused)')
  })

  it('does the same with TERM=dumb', async () => {
    const { at } = await startWithManyLeads()
    const terminal = start(at, ['leads', 'get', '--json'], { TERM: 'dumb' })
    await terminal.shows(/The latest 50 leads:[^]*Number in the list, or what to look up: /)
    terminal.type(`crm-13${enter}`)
    expect((await terminal.end()).screen).toContain('"name": "Lead 13"')
  })

  it('a word that several leads match offers them, and a part of a name says who is meant', async () => {
    const at = await SvcAt.start({ paused: true }, 'test')
    await at.simulation.changeCampaign({ status: 'paused' })
    await at.simulation.lead({ name: 'Ann Lee', phone: '+12125557812', external_id: 'crm-137' }, at.client)
    await at.simulation.lead({ name: 'Ann Ray', phone: '+12125557813' }, at.client)
    const several = start(at, ['leads', 'get'])
    await several.shows(/Lead .*:[^]*Ann Ray/)
    several.type(`ann${enter}`)
    await several.shows(/2 leads match "ann":[^]*❯ Ann Ray, \+12125557813, Web leads \(\w+\)[^]*Ann Lee, \+12125557812/)
    several.type('lee')
    await several.shows(/❯ Ann Lee/)
    several.type(enter)
    const [lee] = (await at.client.get<Lead[]>('/leads')).data.filter(({ name }) => name === 'Ann Lee')
    const chosen = shown((await several.end()).screen)
    expect(chosen).toMatch(/Name +Ann Lee/)
    expect(chosen).toContain(`without questions: svc leads get ${lee!.id}`)
    const { screen } = await start(at, ['leads', 'get', 'lee', '--json']).end()
    expect(screen).toContain('"lee" is the lead Ann Lee, +12125557812.')
  })

  it('a whole name asks if other names hold it, but not if they hold it inside a word', async () => {
    const at = await SvcAt.start({ paused: true }, 'test')
    await at.simulation.changeCampaign({ status: 'paused' })
    for (const [nth, name] of ['Olsen', 'Margaret Olsen', 'Ann', 'Joanne'].entries())
      await at.simulation.lead({ name, phone: `+1212555781${nth}` }, at.client)
    const asked = start(at, ['leads', 'get', 'olsen', '--json'])
    await asked.shows(/2 leads match "olsen":\s+❯ Olsen, [^]*Margaret Olsen/)
    asked.type(enter)
    expect(await asked.end()).toMatchObject({ code: 0, screen: expect.stringContaining('"name": "Olsen"') as string })
    const taken = await start(at, ['leads', 'get', 'ann', '--json']).end()
    expect(taken).toMatchObject({ code: 0, screen: expect.stringContaining('"name": "Ann"') as string })
  })

  it('an endpoint is not asked for where there is none', async () => {
    const at = await SvcAt.start({}, 'test')
    expect(await start(at, ['webhooks', 'deliveries']).end()).toMatchObject({
      code: 2,
      screen: expect.stringContaining('There is no webhook endpoint yet: svc webhooks create makes one.') as string,
    })
  })

  it('an argument that several leads match asks, as does a part of an external id', async () => {
    const at = await SvcAt.start({ paused: true }, 'test')
    await at.simulation.changeCampaign({ status: 'paused' })
    await at.simulation.lead(
      { name: 'Ann Lee', phone: '+12125557812', external_id: 'crm-137', email: 'lee@example.com' },
      at.client,
    )
    await at.simulation.lead({ name: 'Ann Ray', phone: '+12125557813' }, at.client)
    for (const [typed, question] of [
      ['555-78', /2 leads match "555-78":[^]*Ann Ray/],
      // The number that ends with it comes first, although the other lead is newer.
      ['12', /2 leads match "12":\s+❯ Ann Lee/],
      ['crm-13', /One lead contains "crm-13":[^]*❯ Ann Lee/],
      ['lee@', /One lead contains "lee@":[^]*❯ Ann Lee/],
    ] as const) {
      const asked = start(at, ['leads', 'get', typed, '--json'])
      await asked.shows(question)
      asked.type(enter)
      expect(await asked.end()).toMatchObject({ code: 0 })
    }
    const mail = await start(at, ['leads', 'get', 'lee@example.com', '--json']).end()
    expect(mail.screen).toContain('"lee@example.com" is the lead Ann Lee, +12125557812.')
    const sure = await start(at, ['leads', 'get', '555-7812', '--json']).end()
    expect(sure.screen).toContain('"555-7812" is the lead Ann Lee, +12125557812.')
    const none = await start(at, ['leads', 'get', 'Zzz']).end()
    expect(none).toMatchObject({ code: 3, screen: expect.stringContaining('Name a lead by its name') as string })
    expect(await at.run(['leads', 'get', '555-7812'])).toMatchObject({ code: 3 })
  })
})

describe('the choices of a list', () => {
  const choices = ['Web leads', 'Web', 'Spring web'].map((name, nth) => ({
    name: `${name} (running)`,
    value: `id-${nth}`,
    word: name,
  }))
  const names = (typed: string, options: Parameters<typeof offerChoices>[1]) =>
    offerChoices(choices, options, typed).map((line) => ('type' in line ? line.separator : line.name))

  it('begin with the one of exactly this name', () => {
    expect(names('web', { isOpen: false })).toEqual(['Web (running)', 'Web leads (running)', 'Spring web (running)'])
    expect(names('', { isOpen: false })).toHaveLength(3)
  })

  it('begin with those in which the typed text begins a word', () => {
    const people = ['Joanne Ray', 'Lee Ann', 'Ann Lee'].map((name) => ({ name, value: name }))
    const offered = offerChoices(people, { isOpen: false }, 'ann')
    expect(offered.map((line) => 'value' in line && line.value)).toEqual(['Lee Ann', 'Ann Lee', 'Joanne Ray'])
  })

  it('that leave some out offer to look up the typed text', () => {
    const options = { isOpen: true, heading: 'The latest 3:' }
    expect(names('sprin', options)).toEqual(['Spring web (running)', 'Look up "sprin" among all'])
    // A text with digits may be the beginning of another number or id.
    expect(offerChoices([{ name: 'crm-137', value: 'a' }], options, 'crm-13').at(0)).toMatchObject({ value: 'crm-13' })
    expect(names('web', options).slice(0, 2)).toEqual(['Web (running)', 'Look up "web" among all'])
    expect(names('none', options)).toEqual(['Look up "none" among all'])
  })

  it('begin with the lead of exactly this name, however it is spaced', () => {
    const leads = ['Person 110', 'Person 111', 'Person  11'].map(
      (name, nth) =>
        ({ id: String(nth), name, phone: `+1646555200${nth}`, external_id: null, status: 'queued' }) as Lead,
    )
    const offered = offerLeads(leads, () => 'Web leads')
    for (const isOpen of [true, false])
      expect(offerChoices(offered, { isOpen, heading: 'The latest 3:' }, ' person 11')[0]).toMatchObject({ value: '2' })
  })
})
