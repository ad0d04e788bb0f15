/** Rows of one file that are about the same person, named before anything is sent. */
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const [one, two, three, four] = [numberOf(1), numberOf(2), numberOf(3), numberOf(4)]
const ids = `Name,Phone,External ID\nAnn,${one},crm-1\nBo,${two},crm-1\nCy,${three},crm-3\nDi,${three},crm-4\n`

const preview = async (at: ImportAt, file: string) => {
  const env = { ...at.at.env, NO_COLOR: '1' }
  const terminal = new TerminalSvc(at.at.svc, at.words(file), { env, columns: 200 })
  await terminal.shows(/\(y\/N\)/)
  terminal.type(`n${enter}`)
  return (await terminal.end()).screen
}

describe('leads import: a repeated external id', () => {
  const named = 'Warning: 1 row with the external id of an earlier row (line 3), such as "crm-1".'

  it.runIf(hasTerminals)('is counted and named in the preview, as the service refuses it', async () => {
    const at = await ImportAt.start()
    const screen = await preview(at, at.file('people.csv', ids))
    expect(screen).toContain('Warning: 1 row with the number of an earlier row (line 5).')
    expect(screen).toContain(named)
    expect(screen).toContain('Add 2 leads (2 of 4 rows will be refused) to the campaign')
    expect(await at.imported('people.csv')).toMatchObject({ added: 2, by_code: { duplicate_lead: 2 } })
  })

  it('is named in a dry run', async () => {
    const at = await ImportAt.start()
    expect((await at.run(at.file('people.csv', ids), ['--dry-run'])).stderr).toContain(`${named}\n`)
  })

  it.runIf(hasTerminals)('of a row that is refused itself repeats nothing', async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ consent_required: true })
    const consent = '2026-09-01T10:00:00Z,crm,https://example.com/form'
    const file = at.file(
      'people.csv',
      `Phone,External ID,Consent date,Consent source,Consent url\n${one},crm-1,,,\n${one},crm-1,${consent}\n`,
    )
    expect(await preview(at, file)).toContain('Add 1 lead (1 of 2 rows will be refused) to the campaign')
    expect(await at.imported(file)).toMatchObject({ added: 1, by_code: { consent_required: 1 } })
  })
})

describe('leads import: a campaign without a duplicate window', () => {
  const named = [
    'Warning: 1 row with the number or the external id of an earlier row (line 3).',
    'The duplicate window of the campaign is 0 days, so it is not refused: the lead of the earlier row takes the new values and goes back to the queue. The person may be called twice.',
  ]
  const twice = `Name,Phone\nAnn,${one}\nAnn,${one}\nBo,${two}\n`
  const start = async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ duplicate_window_days: 0, lines: 0 })
    return at
  }

  it.runIf(hasTerminals)(
    'counts no repeated row as refused, and says that the person may be called twice',
    async () => {
      const at = await start()
      const screen = await preview(at, at.file('people.csv', twice))
      for (const line of named) expect(screen).toContain(line)
      expect(screen).toMatch(/Add 3 leads to the campaign/)
      expect(await at.imported('people.csv')).toMatchObject({ added: 2, requeued: 1, refused: 0 })
    },
  )

  it('says so in a script, also in a dry run', async () => {
    const at = await start()
    const file = at.file('people.csv', twice)
    for (const flag of ['--dry-run', '--yes']) {
      const { code, stderr } = await at.run(file, [flag])
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(named.join('\n')) as string })
    }
  })

  it('says in a script that people of an earlier import are called again', async () => {
    const at = await start()
    await at.run(at.file('people.csv', `Name,Phone\nAnn,${one}\n`))
    const { stderr } = await at.run(at.file('others.csv', `Name,Phone\nAnna,${one}\n`))
    expect(stderr).toContain('The campaign refuses no numbers that it has: it calls this person again.\n')
    expect(stderr).not.toContain('The campaign refuses numbers that it has')
  })

  it('judges a number and an id of two leads as the service does', async () => {
    const at = await start()
    const rows = [`${one},a`, `${two},b`, `${one},b`, `${three},a`, `${one},b`]
    const file = at.file('people.csv', `Phone,External ID\n${rows.join('\n')}\n`)
    const { stderr } = await at.run(file, ['--dry-run'])
    expect(stderr).toContain('Warning: 1 row with the external id of an earlier row (line 4), such as "b".')
    expect(stderr).toContain('Warning: 2 rows with the number or the external id of an earlier row (lines 5, 6).')
    expect(await at.imported(file)).toMatchObject({ added: 2, requeued: 2, by_code: { duplicate_lead: 1 } })
  })
})

describe('leads import: two rows of one person', () => {
  const people = (...rows: string[]) => `Name,Phone,Mobile,Email\n${rows.join('\n')}\n`

  it('are named by their e-mail before they are sent, in a dry run too', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', people(`Ann,${one},,ann@example.com`, `A. Lee,${two},,ANN@example.com`))
    const named =
      'Warning: 2 rows look like one person with two numbers: lines 2 and 3 (same e-mail). Remove one of them if nobody is to be called twice.\n'
    expect(await at.run(file, ['--dry-run'])).toMatchObject({ stderr: expect.stringContaining(named) as string })
    expect(await at.run(file, ['--yes'])).toMatchObject({ code: 0, stderr: `${named}2 leads added.\n` })
  })

  it('are named by a number of a second phone column', async () => {
    const at = await ImportAt.start()
    const rows = [`Ann,${one},${two},`, `Bo,${three},,`, `Ann,${one},,`, `Bo,${three},${four},`]
    expect((await at.run(at.file('people.csv', people(...rows)), ['--dry-run'])).stderr).toContain(
      'Warning: 2 rows look like the person of an earlier row, with another number: lines 2 and 4 (shared number), 3 and 5 (shared number).',
    )
  })

  it('are not named for a placeholder, a number that nobody is called at, or rows that are refused', async () => {
    const at = await ImportAt.start()
    const rows = [
      `Ann,${four},${one},none`,
      `Bo,${four},${two},none`,
      `Cy,12,,cy@example.com`,
      `Cy,${three},,cy@example.com`,
    ]
    expect((await at.run(at.file('people.csv', people(...rows)), ['--dry-run'])).stderr).not.toContain('look like')
  })

  it('are counted, with the first three pairs', async () => {
    const at = await ImportAt.start()
    const rows = Array.from({ length: 1200 }, (_, n) => `Lead,${numberOf(n)},,lead${n % 600}@example.com`)
    expect((await at.run(at.file('people.csv', people(...rows)), ['--dry-run'])).stderr).toContain(
      'Warning: 600 rows look like the person of an earlier row, with another number: lines 2 and 602 (same e-mail), 3 and 603 (same e-mail), 4 and 604 (same e-mail) and 597 more. Remove those that you do not want to call twice.\n',
    )
  })
})

describe('leads import: a file of refused rows', () => {
  it('is named by the lines of the first file, before and after it is sent', async () => {
    const at = await ImportAt.start()
    const rows = [`${one},,41,x,y`, `12,,77,x,y`, `${one},,91,x,y`, `${two},9/1/2026,95,x,y`, `${three},,,,`, `13,,,,`]
    const file = at.file('people.failed.csv', `Phone,Consent date,_line,_code,_message\n${rows.join('\n')}\n`)
    const flags = ['--consent-source', 'crm', '--consent-url', 'https://example.com/form']
    const { stderr } = await at.run(file, [...flags, '--dry-run'])
    expect(stderr).toContain('1 row with the number of an earlier row (line 91).')
    expect(stderr).toContain('that may mean two days (line 95)')
    expect(stderr).toContain('2 invalid numbers (lines 77, 7)')
    expect(stderr).toContain('1 already in the campaign (line 91)')
    await at.run(file, [...flags, '--yes'])
    expect(at.refused().map(({ _line }) => _line)).toEqual(['77', '91', '95', '7'])
  })
})
