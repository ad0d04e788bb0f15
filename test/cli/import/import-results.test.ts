/** What an import says at its end, and the file of refused rows in the form of its source. */
import { readFileSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { hasTerminals, runAtTerminal } from '../../support/programs/terminal.js'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'

const [one, two] = [numberOf(1), numberOf(2)]

describe('import of a file of refused rows', () => {
  it('names the same lines in the result and in the file that it writes: those of the first file', async () => {
    const at = await ImportAt.start()
    const rows = `Ann,${numberOf(0)},7,x,y\nBo,${numberOf(0)},11,x,y\n`
    const ran = await at.run(at.file('people.failed.csv', `name,phone,_line,_code,_message\n${rows}`), ['--yes'])
    expect(ran.stderr).toContain('1 already in the campaign (line 11)')
    expect(at.refused()).toMatchObject([{ name: 'Bo', _line: '11' }])
  })
})

describe('leads import: the result is a sentence', () => {
  it('that counts the rows and names the lines of each reason', async () => {
    const at = await ImportAt.start()
    await at.at.client.post('/dnc', { phone: two })
    const rows = [one, '12', two, '13', ...Array.from({ length: 7 }, () => one)]
    const { stderr, code } = await at.run(at.file('people.csv', `phone\n${rows.join('\n')}\n`))
    expect(code).toBe(6)
    expect(stderr).toContain(
      '1 lead added, 10 rows not added: 2 invalid numbers (lines 3, 5), 1 on the Do Not Call list (line 4), ' +
        '7 already in the campaign (lines 6, 7, 8, 9, 10 and 2 more).\n',
    )
  })

  it('that says what a dry run would do', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone\n${one}\n12\n`)
    const { stderr } = await at.run(file, ['--dry-run'])
    expect(stderr).toContain(
      '1 lead would be added, 1 row would not be added: 1 invalid number (line 3); nothing was saved.\n',
    )
    // The file of refused rows lacks the rows that are fine.
    expect(stderr).toContain('correct it in people.csv before you import it.')
    const again = at.file('twice.csv', `phone\n${one}\n${one}\n`)
    expect((await at.run(again, ['--dry-run'])).stderr).toContain('1 row with the number of an earlier row (line 3).')
    expect(await at.imported(file, ['--dry-run'])).toMatchObject({ added: 0, would_add: 1, refused: 1 })
  })

  it('that says what an earlier import added', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone\n${one}\n${two}\n`)
    expect((await at.run(file)).stderr).toBe('2 leads added.\n')
    expect(await at.run(file)).toMatchObject({ code: 0, stderr: '2 leads already added earlier.\n' })
    expect(await at.imported(file)).toMatchObject({ added: 0, already_added: 2 })
  })
})

describe.runIf(hasTerminals)('an import at a terminal', () => {
  it('says in words why rows were refused; other formats keep the codes', async () => {
    const at = await ImportAt.start()
    await at.at.client.post('/dnc', { phone: two })
    const file = at.file('people.csv', `phone\n${one}\n12\n${two}\n13\n`)
    const env = { ...at.at.env, NO_COLOR: '1' }
    const words = ['import', file, '--yes']
    const leads = ['leads', ...words, '--campaign', at.at.simulation.campaignId]
    const { screen } = await runAtTerminal(at.at.svc, leads, { env })
    expect(screen).toMatch(/^Refused, by reason\nInvalid numbers +2\nOn the Do Not Call list +1\n/m)
    const dnc = await runAtTerminal(at.at.svc, ['dnc', ...words], { env })
    expect(dnc.screen).toMatch(/^Invalid numbers +2$/m)
    expect(dnc.screen).toMatch(/^Already on the Do Not Call list +1$/m)
    expect(await at.imported(at.file('more.csv', 'phone\n12\n'))).toMatchObject({ by_code: { invalid_phone: 1 } })
    const tsv = await at.run(at.file('others.csv', 'phone\n12\n'))
    expect(tsv.stdout).toContain('by_code.invalid_phone')
  })
})

describe('leads import: the file of refused rows', () => {
  it.each([
    ['leads.tsv', 'leads.failed.tsv', `Name\tPhone\nAnn\t12\n`],
    ['a.b.txt', 'a.b.failed.txt', `Name;Phone\nAnn;12\n`],
    ['leads', 'leads.failed.csv', `Name,Phone\nAnn,12\n`],
  ])('of %s is %s, with the same separator', async (name, failed, content) => {
    const at = await ImportAt.start()
    expect(await at.imported(at.file(name, content))).toMatchObject({ failed_file: failed })
    const separator = /Name(.)Phone/.exec(content)?.[1] ?? ''
    expect(readFileSync(at.path(failed), 'utf8').split('\n')[0]?.split(separator)).toEqual([
      ...['Name', 'Phone'],
      ...['_line', '_code', '_message'],
    ])
  })

  it.each<[string, BufferEncoding, string]>([
    ['UTF-8 with a byte order mark', 'utf8', '\ufeff'],
    ['UTF-16', 'utf16le', '\ufeff'],
    ['Windows-1252', 'latin1', ''],
  ])('keeps %s', async (_what, encoding, mark) => {
    const at = await ImportAt.start()
    await at.imported(at.file('people.csv', Buffer.from(`${mark}Name,Phone\nZoë,12\n`, encoding)))
    const text = readFileSync(at.path('people.failed.csv')).toString(encoding)
    expect(text).toMatch(new RegExp(`^${mark}Name,Phone,_line,_code,_message\\nZoë,12,2,invalid_phone,`))
  })

  it('is rewritten when it is imported, and keeps the lines of the first file', async () => {
    const at = await ImportAt.start()
    await at.imported(at.file('people.csv', `Name,Phone\nAnn,${one}\nBo,12\nCy,13\n`))
    const path = at.path('people.failed.csv')
    writeFileSync(path, readFileSync(path, 'utf8').replace(',12,', `,${two},`))
    expect(await at.imported('people.failed.csv')).toMatchObject({
      added: 1,
      refused: 1,
      failed_file: 'people.failed.csv',
    })
    expect(at.refused('people.failed.csv')).toMatchObject([{ Name: 'Cy', _line: '4', _code: 'invalid_phone' }])
    writeFileSync(path, readFileSync(path, 'utf8').replace(',13,', `,${numberOf(3)},`))
    expect(await at.imported('people.failed.csv')).toMatchObject({ added: 1, refused: 0, failed_file: null })
    expect(readFileSync(path, 'utf8')).toBe('Name,Phone,_line,_code,_message\n')
    expect(await at.taken()).toHaveLength(3)
  })

  it('is not changed by a dry run of itself', async () => {
    const at = await ImportAt.start()
    await at.imported(at.file('people.csv', `Name,Phone\nBo,12\n`))
    const before = readFileSync(at.path('people.failed.csv'), 'utf8')
    await at.imported('people.failed.csv', ['--dry-run'])
    expect(at.has('people.failed.csv.new')).toBe(false)
    expect(readFileSync(at.path('people.failed.csv'), 'utf8')).toBe(before)
  })
})
