/** Rows of a file whose person is a lead already, named in the preview before anything is sent. */
import { describe, expect, it } from 'vitest'
import type { LoggedRequest } from '../../../src/contract/control/records.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const [one, two, three, four, five] = [numberOf(1), numberOf(2), numberOf(3), numberOf(4), numberOf(5)]

async function start() {
  const at = await ImportAt.start()
  await at.simulation.changeCampaign({ lines: 0 })
  const spring = await at.simulation.campaign({ name: 'Bed and Bath', lines: 0 })
  const lead = (fields: object) => at.simulation.lead(fields, at.at.client)
  return { at, spring, lead }
}

async function preview(at: ImportAt, file: string, answer = 'n'): Promise<string> {
  const env = { ...at.at.env, NO_COLOR: '1' }
  const terminal = new TerminalSvc(at.at.svc, at.words(file), { env, columns: 250 })
  await terminal.shows(/\(y\/N\)/)
  terminal.type(`${answer}\r`)
  return (await terminal.end()).screen
}

const people = (...rows: string[]) => `Name,Phone,Mobile,Email,External ID\n${rows.join('\n')}\n`

describe.runIf(hasTerminals)('the preview of leads import', () => {
  it('counts rows whose number or external id the campaign has, also after they are done', async () => {
    const { at, lead } = await start()
    await lead({ phone: one })
    await lead({ phone: two, external_id: 'crm-2' })
    const screen = await preview(
      at,
      at.file('people.csv', people(`Ann,${one},,,`, `Bo,${three},,,crm-2`, `Cy,${four},,,`)),
    )
    expect(screen).toContain('Warning: 2 rows are already in Web leads (lines 2, 3).\n')
    expect(screen).toContain(
      'The campaign refuses numbers that it has, within 30 days after they were added. After that, it calls these people again.\n',
    )
    expect(screen).toContain('Add 3 leads (2 of them already in Web leads) to the campaign Web leads')
    expect(screen).not.toContain('were compared')
  })

  it('names rows that look like a lead of the campaign with another number', async () => {
    const { at, lead } = await start()
    await lead({ phone: one, email: 'Ann@example.com', name: 'Ann Lee' })
    await lead({ phone: two })
    const rows = [`A. Lee,${three},,ann@example.com,`, `Bo,${two},${four},,`, `Cy,${five},,none,`]
    const screen = await preview(at, at.file('people.csv', people(...rows)))
    expect(screen).toContain(
      'Warning: 2 rows look like a lead of Web leads, with another number (lines 2, 3), such as Ann Lee, same e-mail. Both numbers would be called.\n',
    )
  })

  it('names rows with the number of a lead of another campaign', async () => {
    const { at, spring, lead } = await start()
    await lead({ phone: one, campaign_id: spring.id })
    const screen = await preview(at, at.file('people.csv', people(`Ann,${one},,,`, `Bo,${two},,,`)))
    expect(screen).toContain(
      'Warning: 1 row has the number of a lead of Bed and Bath (line 2). This person may be called from both.\n',
    )
    expect(screen).toMatch(/Add 2 leads to the campaign Web leads/)
  })

  it('says that only a part was compared, and counts the queue of the campaign in full', async () => {
    const { at, spring, lead } = await start()
    await lead({ phone: one })
    const leads = Array.from({ length: 1001 }, (_, nth) => ({ phone: numberOf(nth + 100) }))
    const mode = 'live'
    await at.simulation.control('POST', '/_sim/leads', { campaign_id: spring.id, mode, leads })
    const screen = await preview(at, at.file('people.csv', people(`Ann,${one},,,`, `Bo,${two},,,`)))
    expect(screen).toContain('Only the latest 1,000 leads and those that wait in Web leads were compared.\n')
    expect(screen).toContain('Warning: 1 row is already in Web leads (line 2).')
    expect(screen).toContain('Room in the queue: 4,999 leads.')
  })

  it('says nothing more of a file that was imported before', async () => {
    const { at } = await start()
    const file = at.file('people.csv', people(`Ann,${one},,,`))
    await at.run(file, ['--yes'])
    const screen = await preview(at, file)
    expect(screen).toContain('all of them imported before')
    expect(screen).not.toContain('already in Web leads')
  })
})

describe('leads import in a script', () => {
  it('reads no leads', async () => {
    const { at } = await start()
    await at.run(at.file('people.csv', people(`Ann,${one},,,`)), ['--yes'])
    const log = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests?path=/leads')
    expect(log.filter(({ method }) => method === 'GET')).toEqual([])
  })
})
