/** Imports of files with an incomplete consent: dates without a source, and people without any. */
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const when = '2026-09-01T10:00:00Z'
const page = 'https://example.com/form'
const [one, two, three] = [numberOf(1), numberOf(2), numberOf(3)]
const dates = `Name,Phone,Consent date\nAnn,${one},${when}\nBo,${two},\nCy,${three},${when}\n`

describe('leads import: an incomplete consent', () => {
  it('in a script, warns before it sends, refuses these rows without a request for each, and says what is missing', async () => {
    const at = await ImportAt.start()
    const { code, stderr } = await at.run(at.file('people.csv', dates))
    expect(code).toBe(6)
    expect(stderr).toBe(
      [
        'Warning: 2 rows have an incomplete consent, without the source (web form, call, …) and the page or text (lines 2, 4), and will be refused.',
        'Add --consent-source, and --consent-url or --consent-text for all rows, or ignore the columns of the consent: --map "<column>=".',
        '1 lead added, 2 rows not added: 2 with an incomplete consent (lines 2, 4).',
        'The refused rows are in people.failed.csv: correct them there and import that file.',
        'The incomplete consent lacks the source (web form, call, …) and the page or text: add --consent-source, and --consent-url or --consent-text for all rows, or fill the columns.',
        '',
      ].join('\n'),
    )
    const message =
      'The consent is incomplete. Missing: the source (web form, call, …), which --consent-source gives for all rows; the page or text, which --consent-url or --consent-text gives for all rows.'
    expect(at.refused()).toMatchObject([
      { Name: 'Ann', _line: '2', _code: 'incomplete_consent', _message: message },
      { Name: 'Cy', _line: '4', _code: 'incomplete_consent', _message: message },
    ])
    expect(await at.batches()).toHaveLength(1)
    expect(await at.taken()).toMatchObject([{ name: 'Bo', consent: null }])
    const flags = ['--consent-source', 'call', '--consent-url', page]
    expect(await at.imported('people.failed.csv', flags)).toMatchObject({ added: 2, refused: 0, by_code: {} })
  })

  it('counts them by code as JSON, also in a dry run', async () => {
    const at = await ImportAt.start()
    const counts = { refused: 2, by_code: { incomplete_consent: 2 } }
    const file = at.file('people.csv', dates)
    expect(await at.imported(file, ['--dry-run'])).toMatchObject({ would_add: 1, ...counts })
    expect(await at.imported(file, ['--yes'])).toMatchObject({ added: 1, ...counts })
  })

  it('takes the missing parts from flags, and gives no part of a consent to people without one', async () => {
    const at = await ImportAt.start()
    const flags = ['--consent-source', 'call', '--consent-url', page]
    const ran = await at.run(at.file('people.csv', dates), flags)
    expect(ran).toMatchObject({ code: 0, stderr: '3 leads added.\n' })
    const whole = { source: 'call', url: page }
    expect((await at.taken()).map(({ consent }) => consent)).toEqual([
      expect.objectContaining(whole),
      null,
      expect.objectContaining(whole),
    ])
  })

  it('sends nothing if a flag has a wrong value', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone,consent url\n${one},${page}\n${two},${page}\n`)
    const flags = ['--consent-source', 'crm', '--consent-at', 'soon']
    expect(await at.run(file, flags)).toMatchObject({ code: 2 })
    expect(await at.batches()).toEqual([])
  })

  it('names the time too if the file has only sources', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone,consent source,consent url\n${one},call,${page}\n`)
    const { code, stderr } = await at.run(file)
    expect(code).toBe(6)
    expect(stderr).toContain(
      '1 row has an incomplete consent, without the time (line 2), and will be refused.\nAdd --consent-at for all rows',
    )
  })

  it('names every missing part at once, for the rows that lack the same parts', async () => {
    const at = await ImportAt.start()
    const rows = [`${one},call,,`, `${two},,${when},`, `${three},web,,`]
    const file = at.file('people.csv', `phone,consent source,consent date,consent url\n${rows.join('\n')}\n`)
    const warnings = [
      'Warning: 2 rows have an incomplete consent, without the time and the page or text (lines 2, 4), and will be refused.',
      'Warning: 1 row has an incomplete consent, without the source (web form, call, …) and the page or text (line 3), and will be refused.',
      'Add --consent-source, --consent-at, and --consent-url or --consent-text for all rows, or ignore the columns of the consent: --map "<column>=".',
      '',
    ].join('\n')
    for (const flag of ['--dry-run', '--yes'])
      expect(await at.run(file, [flag])).toMatchObject({
        code: 6,
        stderr: expect.stringContaining(warnings) as string,
      })
  })

  it('sends nothing if the flags give a part of a consent to all rows, and names every missing part', async () => {
    const at = await ImportAt.start()
    for (const flag of ['--dry-run', '--yes'])
      expect(await at.run(at.leads(3), ['--consent-source', 'crm', flag])).toMatchObject({
        code: 2,
        stderr:
          'Error: The consent for all rows is incomplete: it lacks the time and the page or text.\n' +
          '  Add --consent-at, and --consent-url or --consent-text.\n',
      })
    expect(await at.batches()).toEqual([])
  })

  it('names every flag if the campaign requires a consent and the rows have none', async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ consent_required: true })
    for (const flag of ['--dry-run', '--yes'])
      expect((await at.run(at.leads(3), [flag])).stderr).toContain(
        'The campaign requires consent: add --consent-source, --consent-at, and --consent-url or --consent-text for all rows, or fill such columns.\n',
      )
  })

  it('goes on after it was stopped, and counts each refused row once', async () => {
    const at = await ImportAt.start({ limits: true })
    const rows = Array.from({ length: 130 }, (_, n) => `${numberOf(n)},${n % 2 === 0 ? when : ''}`)
    const file = at.file('people.csv', `phone,consent date\n${rows.join('\n')}\n`)
    expect(await at.run(file, ['--max-wait', '1s'])).toMatchObject({ code: 7 })
    await at.simulation.control('PATCH', `/_sim/keys/${at.at.client.key.key_id}`, { limits: { leads_per_minute: 500 } })
    expect(await at.imported(file, ['--resume', '--rate', '500'])).toMatchObject({ added: 65, refused: 65 })
    expect(at.refused()).toHaveLength(65)
    expect(await at.taken()).toHaveLength(65)
  })
})

describe.runIf(hasTerminals)('leads import at a terminal: an incomplete consent', () => {
  const open = (at: ImportAt, words: readonly string[]) =>
    new TerminalSvc(at.at.svc, words, { env: { ...at.at.env, NO_COLOR: '1' }, columns: 200 })

  it('asks once for the source and the page, for all rows; the command to repeat has the answers', async () => {
    const at = await ImportAt.start()
    const terminal = open(at, at.words(at.file('people.csv', dates)))
    await terminal.shows(
      /The consent of 2 rows does not say how it was given \(lines 2, 4\)\.[^]*How consent was given:\s+❯ unknown: these rows are not added/,
    )
    terminal.type('call')
    await terminal.shows(/❯ a call \(call\)/)
    terminal.type(enter)
    await terminal.shows(
      /The consent of 2 rows has no page and no text[^]*What shows the consent:\s+❯ the address of a page/,
    )
    terminal.type(enter)
    await terminal.shows(/Address of the page:/)
    terminal.type(`form${enter}`)
    await terminal.shows(/Type a whole address/)
    terminal.type(`\u0015${page}${enter}`)
    await terminal.shows(
      /Consent: not required by the campaign; 1 of 3 rows has none\.[^]*Add 3 leads to the campaign [^]*\(y\/N\)/,
    )
    terminal.type(`y${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect(screen).toContain(`--consent-source call --consent-url ${page} --yes\n`)
    expect((await at.taken()).map(({ consent }) => consent?.source)).toEqual(['call', undefined, 'call'])
  })

  it('without an answer, says in the question that these rows will be refused', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone,Consent date,Consent page\nAnn,${one},${when},\nBo,${two},,\n`)
    const terminal = open(at, at.words(file, ['--consent-text', 'I agree.']))
    await terminal.shows(
      /The consent of 1 row does not say how it was given \(line 2\)\.[^]*❯ unknown: the row is not added/,
    )
    terminal.type(enter)
    await terminal.shows(/Add 1 lead \(1 of 2 rows will be refused\) [^]*\(y\/N\)/)
    terminal.type(enter)
    const { screen } = await terminal.end()
    expect(screen).toContain(
      'Warning: 1 row has an incomplete consent, without the source (web form, call, …) (line 2), and will be refused.',
    )
    expect(await at.batches()).toEqual([])
  })
})
