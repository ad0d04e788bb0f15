/** Consent dates of a file that leave open which moment they mean. */
import { writeXlsx } from 'hucre/xlsx'
import { describe, expect, it } from 'vitest'
import { findDateFault } from '../../../src/cli/import/consent-dates.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const page = 'https://example.com/form'
const header = 'Name,Phone,Consent date,Consent source,Consent url'
const dates = ['9/1/2026', '2026-09-01', '2026-09-01 10:00', '13/1/2026', 'soon', '2026-09-01T10:00:00Z']
const rows = dates.map((date, at) => `Lead ${at},${numberOf(at)},${date},web_form,${page}`)
const content = `${header}\n${rows.join('\n')}\n`

const warnings = [
  'Warning: 3 rows have a consent date without a time zone (lines 3, 4, 5), such as "2026-09-01", and will be refused.',
  'Warning: 1 row has a consent date that may mean two days (line 2), and will be refused: "9/1/2026" is September 1 or January 9.',
  'Warning: 1 row has a consent date that cannot be read (line 6), such as "soon", and will be refused.',
  'Write each consent date with its time zone, such as 2026-10-01T09:30:00Z or 2026-10-01T09:30:00-05:00.',
]

describe('leads import: an unclear consent date', () => {
  it('is named before anything is sent, and refused without a guess and without a request for each row', async () => {
    const at = await ImportAt.start()
    const { code, stderr } = await at.run(at.file('people.csv', content))
    expect(code).toBe(6)
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      ...warnings,
      '1 lead added, 5 rows not added: 5 with an unclear consent date (lines 2, 3, 4, 5, 6).',
    ])
    expect(await at.batches()).toHaveLength(1)
    expect(await at.taken()).toMatchObject([{ consent: { agreed_at: '2026-09-01T10:00:00Z' } }])
    const like = 'Write it with its time zone, such as 2026-10-01T09:30:00Z or 2026-10-01T09:30:00-05:00.'
    expect(at.refused().slice(0, 2)).toMatchObject([
      {
        _code: 'unclear_consent_date',
        _message: `The consent date "9/1/2026" may be September 1 or January 9, and has no time zone. ${like}`,
      },
      { _code: 'unclear_consent_date', _message: `The consent date "2026-09-01" has no time zone. ${like}` },
    ])
  })

  it('is named in a dry run too', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', content)
    expect((await at.run(file, ['--dry-run'])).stderr).toContain(warnings.join('\n'))
    expect(await at.imported(file, ['--dry-run'])).toMatchObject({
      would_add: 1,
      by_code: { unclear_consent_date: 5 },
    })
  })

  it('is no fault of a row that lacks another part only, and both are named if both are wrong', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Phone,Consent date,Consent source\n${numberOf(1)},9/1/2026,crm\n`)
    await at.run(file)
    const [refused] = at.refused()
    expect(refused?.['_code']).toBe('incomplete_consent')
    expect(refused?.['_message']).toMatch(
      /^The consent is incomplete\. Missing: the page .*"9\/1\/2026" may be September/,
    )
  })

  it.runIf(hasTerminals)('is shown to a person before the question', async () => {
    const at = await ImportAt.start()
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(at.file('people.csv', content)), { env, columns: 200 })
    await terminal.shows(/\(y\/N\)/)
    terminal.type('n\r')
    const { screen } = await terminal.end()
    for (const warning of warnings) expect(screen).toContain(warning)
    expect(screen).toContain('Add 1 lead (5 of 6 rows will be refused) to the campaign')
    expect(await at.batches()).toEqual([])
  })

  it('of a workbook is a local time, and the zone is named', async () => {
    const at = await ImportAt.start()
    const head = ['Phone', 'Consent date', 'Consent source', 'Consent url']
    const sheet = { name: 'People', rows: [head, [numberOf(1), new Date('2026-09-01T10:00:00Z'), 'crm', page]] }
    const file = at.file('people.xlsx', Buffer.from(await writeXlsx({ sheets: [sheet] })))
    expect(await at.run(file)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(
        /^The times of the column Consent date have no time zone in the workbook\. They are read in the time zone of this machine: \S+\.\n/,
      ) as string,
    })
  })
})

describe('a consent date', () => {
  it.each([
    ['2026-09-01T10:00:00Z', undefined],
    ['2026-09-01T10:00:00.5+02:00', undefined],
    ['2026-09-01 10:00 -0500', undefined],
    ['2026-09-01T10:00:00', 'no_zone'],
    ['2026/9/1', 'no_zone'],
    ['1/13/2026', 'no_zone'],
    ['13.1.26', 'no_zone'],
    ['1/1/2026', 'no_zone'],
    ['9/1/2026 10:00 AM', 'two_days'],
    ['09-01-26', 'two_days'],
    ['0/5/2026', 'no_date'],
    ['13/13/2026', 'no_date'],
    ['45901', 'no_date'],
    ['', 'no_date'],
  ])('%j is judged as %s', (text, fault) => {
    expect(findDateFault(text)).toBe(fault)
  })
})
