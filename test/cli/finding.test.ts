/** Finding things by the names people have for them: campaigns by name, leads by phone or external id, calls by lead. */
import { beforeEach, describe, expect, it } from 'vitest'
import { matchByName } from '../../src/cli/lookup/matches.js'
import type { Call } from '../../src/contract/calls.js'
import type { Lead } from '../../src/contract/leads.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { startAtTerminal } from '../support/programs/at-terminal.js'

describe('a campaign by name', () => {
  it('is found by its exact name in a script', async () => {
    const at = await SvcAt.start()
    const { campaignId: campaign, organization } = at.simulation
    const { name } = organization.campaigns[0]!
    expect(await at.data('campaigns', 'get', name)).toMatchObject({ id: campaign })
    const added = await at.data<{ id: string }>('leads', 'add', '--campaign', name, '--phone', '+12125557812')
    expect(await at.simulation.readLead(added.id)).toMatchObject({ campaign_id: campaign })
    expect(await at.data<Lead[]>('leads', 'list', '--campaign', name)).toHaveLength(1)
    expect(await at.run(['campaigns', 'get', name.toUpperCase()])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no such campaign') as string,
    })
  })

  it('that does not exist names the flag and the command that lists them, and exits 2', async () => {
    const at = await SvcAt.start()
    const ran = await at.run(['leads', 'list', '--campaign', 'web'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain('--campaign "web": no such campaign.')
    expect(ran.stderr).toContain('svc campaigns list')
    for (const typed of ['web', 'Webb', 'leds', 'Web lead'])
      expect((await at.run(['leads', 'list', '--campaign', typed])).stderr).toContain('Did you mean "Web leads"?')
    expect((await at.run(['leads', 'list', '--campaign', 'Spring'])).stderr).not.toContain('Did you mean')
  })

  it('that two campaigns have is refused with the ids of both', async () => {
    const at = await SvcAt.start()
    const twins = [await at.simulation.campaign({ name: 'Twin' }), await at.simulation.campaign({ name: 'Twin' })]
    const ran = await at.run(['leads', 'list', '--campaign', 'Twin'])
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    for (const { id } of twins) expect(ran.stderr).toContain(id)
  })

  it('matches in any case and by a unique prefix only where a person can be asked', () => {
    const all = ['Web leads', 'Web forms', 'Events'].map((name, i) => ({ id: String(i), name }))
    const names = (typed: string, isLoose: boolean) => matchByName(all, typed, isLoose).map(({ name }) => name)
    expect(names('ev', false)).toEqual([])
    expect(names('ev', true)).toEqual(['Events'])
    expect(names('web LEADS', true)).toEqual(['Web leads'])
    expect(names('web', true)).toEqual(['Web leads', 'Web forms'])
    expect(names(' ', true)).toEqual([])
  })

  it.skipIf(!hasTerminals)('is found by a prefix at a terminal', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.campaign({ name: 'Zebra crossing' })
    const terminal = new TerminalSvc(at.svc, ['campaigns', 'get', 'zeb', '--json'], { env: { ...at.env, CI: '' } })
    expect((await terminal.end()).screen).toContain(id)
  })
})

describe('a lead', () => {
  let at: SvcAt
  let ann: { id: string }
  beforeEach(async () => {
    at = await SvcAt.start()
    ann = await at.simulation.lead({ phone: '+12125557812', external_id: 'crm-42', name: 'Ann' })
  })

  it.each(['+12125557812', '(212) 555-7812', 'crm-42'])('is found by %s', async (typed) => {
    expect(await at.data('leads', 'get', typed)).toMatchObject({ id: ann.id })
    expect(await at.data('leads', 'update', typed, '--name', 'Ann Lee')).toMatchObject({ id: ann.id, name: 'Ann Lee' })
  })

  it('that does not exist exits 3 and says how leads are named', async () => {
    for (const typed of ['crm-43', '+12125550199', '0'.repeat(3)]) {
      const ran = await at.run(['leads', 'get', typed])
      expect(ran).toMatchObject({ code: 3, stdout: '' })
      expect(ran.stderr).toContain('external id')
    }
  })
})

describe('leads list --search', () => {
  it('finds leads by a part of the name, phone or external id', async () => {
    const at = await SvcAt.start()
    await at.simulation.lead({ phone: '+12125557812', external_id: 'crm-42', name: 'Ann Lee' })
    await at.simulation.lead({ phone: '+14155552013', external_id: 'crm-13', name: 'Bo Ray' })
    const found = async (...words: string[]) =>
      (await at.data<Lead[]>('leads', 'list', '--search', ...words)).map(({ name }) => name)
    for (const text of ['ann', 'ANN LEE', '(212) 555-78', '7812', 'crm-42'])
      expect(await found(text)).toEqual(['Ann Lee'])
    expect(await found('crm-')).toEqual(['Bo Ray', 'Ann Lee'])
    // The 1 before the area code is not a part of what people know, unless it is typed as one.
    expect(await found('1415')).toEqual([])
    expect(await found('+1415')).toEqual(['Bo Ray'])
    expect(await found('1 (415) 555-2013')).toEqual(['Bo Ray'])
    expect(await found('nobody')).toEqual([])
    expect(await found('ann', '--status', 'done')).toEqual([])
    expect(await at.run(['leads', 'list', '--search', ' '])).toMatchObject({ code: 2 })
  })

  it('reads every page, says so, and goes on after the last one shown', async () => {
    const at = await SvcAt.start()
    await at.simulation.changeCampaign({ status: 'paused' })
    const leads = Array.from({ length: 420 }, (_, nth) => ({
      phone: `+1415555${String(2000 + nth)}`,
      name: nth % 100 === 0 ? `Wanted ${nth}` : `Other ${nth}`,
    }))
    for (let nth = 0; nth < leads.length; nth += 60)
      await at.client.post('/leads/batch', {
        campaign_id: at.simulation.campaignId,
        leads: leads.slice(nth, nth + 60),
      })
    const all = await at.run(['leads', 'list', '--search', 'wanted', '--json'])
    expect(all.stderr).toContain('Searching for wanted: 300 leads read.')
    const names = (stdout: string) => (JSON.parse(stdout) as { data: Lead[] }).data.map(({ name }) => name)
    expect(names(all.stdout)).toEqual(['Wanted 400', 'Wanted 300', 'Wanted 200', 'Wanted 100', 'Wanted 0'])
    const words = ['leads', 'list', '--search', 'wanted', '--limit', '2', '--json']
    const first = await at.run(words)
    expect(names(first.stdout)).toEqual(['Wanted 400', 'Wanted 300'])
    const { meta } = JSON.parse(first.stdout) as { meta: { next_cursor: string; has_more: boolean } }
    expect(meta.has_more).toBe(true)
    const next = await at.run([...words, '--starting-after', meta.next_cursor])
    expect(names(next.stdout)).toEqual(['Wanted 200', 'Wanted 100'])
  })
})

describe('leads list --outcome', () => {
  it('lists the leads whose last outcome it is, also together with other filters', async () => {
    const at = await SvcAt.start({ paused: true }, 'test')
    const add = (phone: string, name: string) => at.simulation.lead({ phone, name }, at.client)
    await add('+15550100001', 'Ann Lee')
    await add('+15550100002', 'Bo Ray')
    await at.simulation.advance('10m')
    const list = async (...words: string[]) =>
      (await at.data<Lead[]>('leads', 'list', '--outcome', ...words)).map(({ name }) => name)
    expect(await list('interested')).toEqual(['Ann Lee'])
    expect(await list('voicemail')).toEqual(['Bo Ray'])
    expect(await list('busy')).toEqual([])
    expect(await list('interested', '--search', 'bo')).toEqual([])
    expect(await list('interested', '--status', 'done', '--limit', '1')).toEqual(['Ann Lee'])
    expect(await at.run(['leads', 'list', '--outcome', 'interested', '--output', 'csv', '--columns', 'name'])).toEqual(
      expect.objectContaining({ code: 0, stdout: 'name\nAnn Lee\n' }),
    )
  })

  it('is named for an outcome that is given as a status', async () => {
    const at = await SvcAt.start()
    const { code, stderr } = await at.run(['leads', 'list', '--status', 'intrested'])
    expect(code).toBe(2)
    expect(stderr).toContain('Did you mean --outcome interested?')
  })
})

it('a lead whose phone is in two campaigns is refused with both, unless the campaign is named', async () => {
  const at = await SvcAt.start()
  const { id: other } = await at.simulation.campaign({ name: 'Other' })
  const one = await at.simulation.lead({ phone: '+12125557812' })
  const two = await at.simulation.lead({ phone: '+12125557812', campaign_id: other })
  const ran = await at.run(['leads', 'get', '2125557812'])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  for (const { id } of [one, two]) expect(ran.stderr).toContain(id)
  expect(await at.data('leads', 'get', '2125557812', '--campaign', 'Other')).toMatchObject({ id: two.id })
})

it('an external id in two campaigns is refused with both, unless the campaign is named', async () => {
  const at = await SvcAt.start()
  const { id: other } = await at.simulation.campaign({ name: 'Other' })
  const one = await at.simulation.lead({ phone: '+12125557812', external_id: 'crm-1' })
  const two = await at.simulation.lead({ phone: '+12125557813', external_id: 'crm-1', campaign_id: other })
  const ran = await at.run(['leads', 'update', 'crm-1', '--name', 'X'])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  for (const { id } of [one, two]) expect(ran.stderr).toContain(id)
})

it('a call is the last one of a lead with --lead', async () => {
  const at = await SvcAt.start()
  await at.simulation.changeCampaign({ status: 'paused' })
  const lead = await at.simulation.lead({ phone: '+12125557812' })
  const none = await at.run(['calls', 'get', '--lead', '(212) 555-7812'])
  expect(none).toMatchObject({ code: 3, stderr: expect.stringContaining('no call') as string })
  expect(none.stderr).toContain("svc leads get '(212) 555-7812' shows")
  await at.simulation.changeCampaign({ status: 'running' })
  await at.simulation.advance('1h')
  const [last] = (await at.client.get<Call[]>(`/calls?lead_id=${lead.id}`)).data
  expect(await at.data('calls', 'get', '--lead', '2125557812')).toMatchObject({ id: last!.id })
  expect(await at.text('calls', 'transcript', '--lead', lead.id)).not.toBe('')
  expect(await at.run(['calls', 'get', last!.id, '--lead', lead.id])).toMatchObject({ code: 2 })
})

it('an entry of the Do Not Call list is removed by its number', async () => {
  const at = await SvcAt.start()
  await at.text('dnc', 'add', '+12125557812')
  await at.text('dnc', 'add', '+12125557813')
  expect(await at.data('dnc', 'remove', '(212) 555-7812', '--yes')).toMatchObject({ phone: '+12125557812' })
  expect(await at.data<unknown[]>('dnc', 'list')).toHaveLength(1)
  expect(await at.run(['dnc', 'remove', '2125557812', '--yes'])).toMatchObject({ code: 3 })
  expect(await at.run(['dnc', 'remove', 'Ann', '--yes'])).toMatchObject({ code: 2 })
})

describe.runIf(hasTerminals)('at a terminal', () => {
  it('a lead is found by name and by the beginning of its id, and a call by its lead', async () => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100001', '--name', 'Ann Lee')
    await add('--phone', '+15550100002', '--name', 'Ann Ray')
    await at.simulation.advance('4m')
    const [first] = (await at.data<Lead[]>('leads', 'list')).filter(({ name }) => name === 'Ann Lee')
    for (const typed of ['ann lee', 'lee', first!.id.slice(0, 8), `${first!.id.slice(0, 8)}…`])
      expect((await run(['leads', 'get', typed, '--json'])).lines.join('\n')).toContain(first!.id)
    expect((await run(['calls', 'get', 'lee', '--columns', 'lead.name'])).lines).toEqual([
      '"lee" is the lead Ann Lee, +15550100001.',
      'Name  Ann Lee',
    ])
    expect(await run(['calls', 'get', 'nobody'])).toMatchObject({ code: 3 })
    // A script gives what is unique.
    expect(await at.run(['leads', 'get', 'Ann Lee'])).toMatchObject({ code: 3 })
  })

  it('a narrow list of calls shows when each call was', async () => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100001', '--name', 'Maria Gonzalez')
    await at.simulation.advance('5m')
    const [header = ''] = (await run(['calls', 'list'], 60)).lines
    expect(header.trim().split(/ {2,}/)).toEqual(['Phone', 'Name', 'Outcome', 'Started'])
  })

  it('a narrow list of calls shows the status of a call that has no outcome yet', async () => {
    const { at, run, add } = await startAtTerminal()
    await add('--phone', '+15550100001', '--name', 'Maria Gonzalez')
    const { status } = (await at.client.get<Call[]>('/calls')).data[0]!
    for (const width of [46, 36]) {
      const [header = '', row = ''] = (await run(['calls', 'list'], width)).lines
      expect(header).not.toContain('Status')
      expect(row).toContain(status.replace('_', ' '))
    }
    const [header = '', row = ''] = (await run(['calls', 'list'], 120)).lines
    expect(row.trim().split(/ {2,}/)[header.trim().split(/ {2,}/).indexOf('Outcome')]).toBe('-')
  })

  it('a name of several words without quotes is shown with them', async () => {
    const { run } = await startAtTerminal()
    const { code, lines } = await run(['leads', 'get', 'Kim', 'Oh'])
    expect(code).toBe(2)
    expect(lines.join('\n')).toContain("Put a name of several words in quotes: svc leads get 'Kim Oh'")
    expect((await run(['leads', 'get', 'Kim', 'k3y_secret'])).lines.join('\n')).not.toContain("'Kim")
  })

  it('a question names the id of a campaign if another one has the same name', async () => {
    const at = await SvcAt.start({ paused: true }, 'live')
    const { id } = await at.simulation.campaign({ name: 'Web leads' })
    const env = { ...at.env, NO_COLOR: '1', CI: '' }
    const words = ['leads', 'add', '--campaign', id, '--phone', '2125557812', '--name', 'Ann']
    const terminal = new TerminalSvc(at.svc, words, { env, columns: 200 })
    await terminal.shows(new RegExp(`to the campaign Web leads \\(${id}\\)`))
    terminal.type('n\r')
    expect((await terminal.end()).screen).toContain('Cancelled. Nothing was changed.')
  })
})
