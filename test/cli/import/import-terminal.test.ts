/** An import as a person at a terminal sees it: what will be sent, a question, a bar. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { stepOf } from '../../../src/cli/import/report.js'
import { Progress } from '../../../src/output/progress.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'

describe.runIf(hasTerminals)('at a terminal', () => {
  const open = async (flags: readonly string[] = []) => {
    const at = await ImportAt.start()
    const content = `Full Name;Phone;Town\nAnn \u001b[31mLee;${numberOf(0)};Albany\nBo;${numberOf(1)};Troy\n`
    const words = at.words(at.file('people.csv', content), ['--map', 'Town=fields.town', ...flags])
    const env = { ...at.at.env, NO_COLOR: '1' }
    return { at, terminal: new TerminalSvc(at.at.svc, words, { env, columns: 110 }) }
  }

  it('the first rows are shown as they will be sent, and nothing is sent without a yes', async () => {
    const { at, terminal } = await open()
    await terminal.shows(/\(y\/N\)/)
    terminal.type(enter)
    const { code, screen } = await terminal.end()
    expect(code).toBe(2)
    const lines = stripVTControlCharacters(screen).split('\n')
    expect(lines[0]).toMatch(/^LIVE 127\.0\.0\.1:\d+$/)
    expect(lines[1]).toBe('people.csv: 2 rows. Columns: Full Name → name, Phone → phone, Town → custom field town.')
    expect(lines[2]).toMatch(/^Phone +Name +town$/)
    expect(lines[3]).toMatch(/^\+16462011000 +Ann Lee +Albany$/)
    expect(lines.slice(5, 8)).toEqual([
      'Room in the queue: 5,000 leads.',
      'Consent: not required by the campaign.',
      'Time: less than a minute at 60 a minute.',
    ])
    expect(lines[8]).toBe('To correct a column, answer c.')
    expect(lines[9]).toContain(`Add 2 leads to the campaign Web leads at 127.0.0.1:`)
    expect(await at.batches()).toEqual([])
  })

  it('says what will be refused, and how long it takes', async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ consent_required: true, lines: 0 })
    const rows = Array.from(
      { length: 150 },
      (_, n) => `Ann,${n % 60 === 3 ? '2.12556E+09' : n === 9 ? '' : numberOf(n)},`,
    )
    const file = at.file('people.csv', `First Name,Mobile,Phone\n${rows.join('\n')}\n`)
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(file, ['--rate', '30']), { env, columns: 200 })
    await terminal.shows(/Correct a column\? \(Y\/n\)/)
    terminal.type(`n${enter}`)
    const { screen } = await terminal.end()
    expect(screen).toContain('Columns: First Name → name, Mobile, else Phone → phone.')
    expect(screen).toContain('a spreadsheet has shortened 3 numbers (lines 5, 65, 125), as in 2.12556E+09.')
    expect(screen).toContain('Warning: 1 row without a number will be refused.')
    expect(screen).toContain('the campaign requires consent, and 150 of 150 rows will be refused without it.')
    expect(screen).toContain('Add --consent-source, --consent-at and --consent-text or --consent-url for all rows.')
    expect(screen).toContain('Time: about 4 minutes at 30 a minute.')
    expect(screen).toContain('None of the 150 rows can be added. If you answer n, nothing is sent')
    expect(screen).not.toContain('(y/N)')
    expect(await at.batches()).toEqual([])
  })

  it('says why numbers cannot be called, also in the file of refused rows', async () => {
    const at = await ImportAt.start()
    const values = [numberOf(0), '(212) 555-0188', '(212) 211-3100', '(999) 201-3100', '555-7812', '212 155 3100', '12']
    const file = at.file('people.csv', `Name,Phone\n${values.map((value) => `Ann,${value}`).join('\n')}\n`)
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(file), { env, columns: 200 })
    await terminal.shows(/\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen } = await terminal.end()
    expect(screen).toContain('Warning: 1 number without an area code (line 6), such as "555-7812".')
    expect(screen).toContain(
      'Warning: 3 impossible numbers (lines 4, 5, 7), such as "(212) 211-3100". No US exchange is 211: such three digits are service codes.',
    )
    expect(screen).toContain(
      'Warning: 1 made-up number (line 3), such as "(212) 555-0188". 555-0100 to 555-0199 are made-up numbers, reserved for examples.',
    )
    expect(screen).toContain('Warning: 1 value is not a valid phone number (line 8), such as "12".')
    expect(at.refused().map(({ _message }) => _message)).toEqual([
      'The number is reserved for examples (555-0100 to 555-0199).',
      'The phone is not a telephone number. No US exchange is 211: such three digits are service codes.',
      'The phone is not a telephone number. There is no area code 999.',
      'The phone is not a telephone number. The area code is missing: a number has 10 digits, such as (212) 555-7812.',
      'The phone is not a telephone number. No US exchange begins with 1, as in 155.',
      'The phone is not a telephone number.',
    ])
  })

  it('counts the rows whose number cannot be called, and asks only for the others', async () => {
    const at = await ImportAt.start()
    const values = [numberOf(0), 'call me', `${numberOf(1)} ext. 12`, numberOf(0), '2.12556E+09', '', numberOf(2)]
    const file = at.file('people.csv', `Name,Phone\n${values.map((value) => `Ann,${value}`).join('\n')}\n`)
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(file), { env, columns: 200 })
    await terminal.shows(/\(y\/N\)/)
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect(screen).toContain('Warning: 1 value is not a valid phone number (line 3), such as "call me".')
    expect(screen).toContain('Warning: 1 number has an extension (line 4), such as "ext. 12". Remove it:')
    expect(screen).toContain('Warning: 1 row with the number of an earlier row (line 5).')
    expect(screen).toContain('Add 2 leads (5 of 7 rows will be refused) to the campaign Web leads at')
    expect(screen).toContain('2 leads added, 5 rows not added')
    expect(code).toBe(6)
  })

  it('asks for no column of phones if no column has a number', async () => {
    const at = await ImportAt.start()
    const words = at.words(at.file('people.csv', 'Name,City\nAnn,Rome\n'))
    const { screen, code } = await new TerminalSvc(at.at.svc, words, { env: at.at.env, columns: 200 }).end()
    expect({ screen, code }).toEqual({
      screen: expect.stringContaining('No column of people.csv is called phone') as string,
      code: 2,
    })
  })

  it('asks which column is the phone if no header is known', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Who,Reach\nAnn,${numberOf(0)}\n`)
    const env = { ...at.at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.at.svc, at.words(file, ['--yes']), { env, columns: 200 })
    // Columns without numbers are not offered.
    await terminal.shows(/Which column is the phone:[^]*❯ Reach, such as /)
    terminal.type(enter)
    const { screen } = await terminal.end()
    expect(screen).toContain('--map Reach=phone')
    expect(await at.taken()).toMatchObject([{ phone: numberOf(0) }])
  })

  it('offers to continue an interrupted import; the command to resume has the answers of prompts', async () => {
    const at = await ImportAt.start({ limits: true })
    const file = at.leads(70)
    const env = { ...at.at.env, NO_COLOR: '1' }
    const words = ['leads', 'import', file, '--yes', '--max-wait', '1s']
    const first = new TerminalSvc(at.at.svc, words, { env, columns: 200 })
    await first.shows(/Web leads \(running\)/)
    first.type(enter)
    const stopped = await first.end()
    expect(stopped.code).toBe(7)
    const resume = `svc ${words.join(' ')} --campaign 'Web leads' --resume`
    expect(stopped.screen).toContain(`Stopped after 60 of 70 rows. Go on with: ${resume}\n`)
    await at.simulation.control('PATCH', `/_sim/keys/${at.at.client.key.key_id}`, { limits: { leads_per_minute: 500 } })
    const second = new TerminalSvc(at.at.svc, [...at.words(file), '--rate', '500'], { env, columns: 200 })
    await second.shows(/An earlier import of this file stopped after 60 of 70 rows\. Continue from there\? \(Y\/n\)/)
    second.type(enter)
    // Enter twice calls nobody.
    await second.shows(/Add the other 10 leads to the campaign Web leads at .*\(y\/N\)/)
    second.type(`y${enter}`)
    const { screen, code } = await second.end()
    expect({ code, screen }).toEqual({ code: 0, screen: expect.stringContaining('70 leads added.') as string })
  })

  it('a yes sends them; --yes and a dry run ask nothing', async () => {
    const asked = await open()
    await asked.terminal.shows(/\(y\/N\)/)
    asked.terminal.type(`y${enter}`)
    expect(await asked.terminal.end()).toMatchObject({ code: 0 })
    expect(await asked.at.taken()).toHaveLength(2)
    for (const flag of ['--yes', '--dry-run']) {
      const { terminal } = await open([flag])
      const { code, screen } = await terminal.end()
      expect(code).toBe(0)
      expect(screen).not.toContain('(y/N)')
    }
  })

  it('there is a bar with rate and time left, which is gone in the end', async () => {
    const at = await ImportAt.start()
    await at.simulation.control('POST', '/_sim/faults', { path: '/leads/batch', latency_ms: 150, count: 1000 })
    const terminal = new TerminalSvc(at.at.svc, at.words(at.leads(900), ['--yes']), { env: at.at.env, columns: 120 })
    await terminal.shows(/\[=+ *\] \d+%, \d+ of 900 leads, \d+s left, \d+ a minute/)
    const { screen, code } = await terminal.end()
    expect(code).toBe(0)
    expect(screen).toMatch(new RegExp(String.raw`\r\u001b\[K[^\r]*Added`))
  })
})

describe('where there is no terminal', () => {
  const course = { total: 600, rows: 60, rowsOfRun: 60, elapsedMs: 2000 }

  it('nothing is asked, and a line says now and then how far it is', () => {
    let now = 0
    const said: string[] = []
    const progress = new Progress({
      what: 'leads',
      terminal: undefined,
      write: (text) => said.push(text),
      now: () => now,
    })
    for (; now <= 25_000; now += 100) progress.update(stepOf(course, { rate: 60, waitMs: 30_000, next: 60 }))
    expect(said).toEqual(Array(2).fill('[==                      ] 10%, 60 of 600 leads, 8m 30s left, 60 a minute\n'))
  })

  it('the time left is that of the rate, or else of what was done so far', () => {
    expect(stepOf(course, { rate: null, waitMs: 0, next: 0 })).toMatchObject({ leftMs: 18_000, note: '1800 a minute' })
    expect(stepOf(course, { rate: 60, waitMs: 0, next: 0 })).toMatchObject({ leftMs: 540_000 })
    expect(stepOf({ ...course, rowsOfRun: 0 }, { rate: null, waitMs: 0, next: 0 }).leftMs).toBeUndefined()
  })

  it('a wait says how long and for what, without a rate that is not known', () => {
    const waiting = { rate: null, waitMs: 41_000, next: 60, waitsFor: "the key's limit of new leads" }
    expect(stepOf({ ...course, rows: 0, rowsOfRun: 0 }, waiting).note).toBe(
      "waiting 41s for the key's limit of new leads",
    )
    expect(stepOf(course, { ...waiting, rate: 60 }).note).toBe(
      "60 a minute, waiting 41s for the key's limit of new leads",
    )
  })
})
