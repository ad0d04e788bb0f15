/** What `leads add` says and asks at a terminal before it adds a person. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../src/contract/control/records.js'
import type { Lead } from '../../src/contract/leads.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

const phone = '+12125557812'
const enter = '\r'

async function start() {
  const at = await SvcAt.start({ paused: true, now: '2026-10-01T15:00:00Z' }, 'test')
  await at.simulation.changeCampaign({ status: 'paused' })
  const spring = await at.simulation.campaign({ name: 'Spring' })
  const open = (...more: string[]) => {
    const words = ['leads', 'add', '--campaign', 'Web leads', '--phone', '(212) 555-7812', ...more]
    return new TerminalSvc(at.svc, words, {
      env: { ...at.env, CI: '', NO_COLOR: '1', TZ: 'America/New_York' },
      columns: 200,
    })
  }
  const leads = async () => (await at.client.get<Lead[]>('/leads')).data
  return { at, spring, open, leads }
}

const screenOf = async (terminal: TerminalSvc) => {
  const { screen, code } = await terminal.end()
  return { screen: stripVTControlCharacters(screen), code }
}

describe.runIf(hasTerminals)('leads add at a terminal: a number that a lead has', () => {
  it('of another campaign is named with its campaign and status, and asked about', async () => {
    const { at, spring, open, leads } = await start()
    await at.simulation.changeCampaign({ status: 'paused' }, spring.id)
    await at.simulation.lead({ name: 'Ann Lee', phone, campaign_id: spring.id }, at.client)
    const declined = open('--name', 'Ann')
    await declined.shows(
      /Ann Lee, a lead of Spring \(held\), has this number already\. Add 1 person \(Ann, \(212\) 555-7812\) to the campaign Web leads at \S+\? \(y\/N\)/,
    )
    declined.type(enter)
    expect(await screenOf(declined)).toMatchObject({ code: 2 })
    expect(await leads()).toHaveLength(1)
    const agreed = open()
    await agreed.shows(/\(y\/N\)/)
    agreed.type(`y${enter}`)
    expect(await screenOf(agreed)).toMatchObject({ code: 0 })
    expect(await leads()).toHaveLength(2)
    const again = await screenOf(open())
    expect(again).toMatchObject({ code: 5 })
    expect(again.screen).toContain('Ann Lee, a lead of Spring (held), has this number already, and so has 1 more lead.')
  })

  it('of the campaign itself is asked about only after the duplicate window', async () => {
    const { at, open } = await start()
    await at.simulation.lead({ phone }, at.client)
    const refused = await screenOf(open())
    expect(refused).toMatchObject({ code: 5 })
    expect(refused.screen).toContain('A lead of Web leads (held) has this number already.')
    expect(refused.screen).not.toContain('(y/N)')
    await at.simulation.advance('31d')
    const asked = open()
    await asked.shows(/A lead of Web leads \(held\) has this number already\. Add 1 person/)
    asked.type(`n${enter}`)
    expect(await screenOf(asked)).toMatchObject({ code: 2 })
  })

  it('is not looked up in a script, with --yes or for an invalid number', async () => {
    const { at, open } = await start()
    await at.run(['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', phone])
    await open('--yes').end()
    const read = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests?path=/leads&method=GET')
    expect(read.filter(({ method }) => method === 'GET')).toEqual([])
  })
})

describe.runIf(hasTerminals)('leads add at a terminal: consent', () => {
  it('is asked for part by part if the campaign requires it', async () => {
    const { at, open, leads } = await start()
    await at.simulation.changeCampaign({ consent_required: true })
    const terminal = open()
    await terminal.shows(/The campaign requires consent\.[^]*How consent was given/)
    terminal.type(`crm${enter}`)
    await terminal.shows(/When they agreed, in America\/New_York \(now, or like 2026-10-01 09:30\):/)
    for (const [typed, problem] of [
      ['', 'A value is needed.'],
      ['9/1/2026', 'may be September 1 or January 9'],
      ['2026-09-01', 'Add the time'],
      ['2026-02-30 09:30', 'There is no such day or time.'],
      ['2099-10-01 09:30', 'That is not in the past.'],
    ]) {
      terminal.type(`\u0015${typed}${enter}`)
      await terminal.shows(new RegExp(`> .*${problem}`))
    }
    terminal.type(`\u00152026-09-01 9:30${enter}`)
    await terminal.shows(/What shows the consent/)
    terminal.type(enter)
    await terminal.shows(/Address of the page:/)
    terminal.type(`https://example.com/form${enter}`)
    const { screen, code } = await screenOf(terminal)
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain(
      '--consent-source crm --consent-at 2026-09-01T09:30:00-04:00 --consent-url https://example.com/form',
    )
    expect((await leads())[0]?.consent).toMatchObject({ source: 'crm', agreed_at: '2026-09-01T09:30:00-04:00' })
  })

  it('that was given in part is completed, and now is the clock of the service', async () => {
    const { open, leads } = await start()
    const terminal = open('--consent-source', 'call', '--consent-text', 'Please call me.')
    await terminal.shows(/The consent is incomplete: it lacks the time\.[^]*When they agreed/)
    terminal.type(`now${enter}`)
    expect(await screenOf(terminal)).toMatchObject({ code: 0 })
    expect((await leads())[0]?.consent).toMatchObject({ source: 'call', agreed_at: '2026-10-01T11:00:00-04:00' })
  })

  it('is not asked for with --yes, or if the campaign does not require it', async () => {
    const { at, open } = await start()
    expect((await screenOf(open())).screen).not.toContain('consent')
    await at.simulation.changeCampaign({ consent_required: true })
    expect((await screenOf(open('--yes', '--external-id', 'b'))).code).toBe(5)
  })
})
