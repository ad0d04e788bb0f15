/** Files with several phone columns: a person on the Do Not Call list must not be called on any of their numbers. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DncEntry } from '../../../../src/contract/dnc.js'
import { numberOf } from '../../../support/programs/import-at.js'
import { SvcAt } from '../../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../../support/programs/terminal.js'

const [a, b, c, d] = [numberOf(0), numberOf(1), numberOf(2), numberOf(3)]

async function start(content: string) {
  const at = await SvcAt.start()
  writeFileSync(join(at.svc.folder, 'stop.csv'), content)
  const listed = async () => (await at.client.all<DncEntry>('/dnc', 'cursor')).map(({ phone }) => phone).sort()
  const failedRows = () => readFileSync(join(at.svc.folder, 'stop.failed.csv'), 'utf8').trim().split('\n')
  return { at, listed, failedRows }
}

const two = `Name,Phone,Mobile\nMaria,${a},${b}\nJohn,,${c}\nSue,${d},${d}\n`

describe('svc dnc import of several phone columns', () => {
  it.each([
    ['Phone and Mobile', two],
    ['HubSpot', `First Name,Phone Number,Mobile Phone Number\nMaria,${a},${b}\nJohn,${c},${d}\n`],
    ['Outlook', `First Name,Business Phone,Home Phone,Mobile Phone,Other Phone\nMaria,${a},${b},,${c}\nJohn,,,${d},\n`],
    ['Google', `Name,Phone 1 - Type,Phone 1 - Value,Phone 4 - Value\nMaria,Home,${a} ::: ${b},${c}\nJohn,Work,,${d}\n`],
    ['columns known by their values', `Customer,Home,Cell,Reason\nMaria,${a},${b},asked\nJohn,${c},${d},\n`],
    ['headers that no list knows', `Name,Phone,Partner cell,Phone type\nMaria,${a},${b},Home\nJohn,${c},${d},Work\n`],
  ])('puts every number of a row on the list: %s', async (_what, content) => {
    const { at, listed } = await start(content)
    const ran = await at.run(['dnc', 'import', 'stop.csv', '--json'])
    expect(ran).toMatchObject({ code: 0 })
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 4, refused: 0, failed_file: null })
    expect(await listed()).toEqual([a, b, c, d])
  })

  it('names the columns, and the dry run counts the same numbers', async () => {
    const { at, listed } = await start(two)
    const dry = await at.run(['dnc', 'import', 'stop.csv', '--dry-run'])
    expect(dry).toMatchObject({ code: 0 })
    expect(dry.stderr).toContain('2 phone columns: Phone, Mobile. Every number of a row goes on the list.')
    expect(dry.stderr).toContain('4 numbers would be added; nothing was saved.')
    expect(await listed()).toEqual([])
  })

  it('names a column known by its values, and takes no ids', async () => {
    const people = Array.from({ length: 120 }, (_, nth) => `${2_125_550_000 + nth},,${numberOf(nth)}`)
    const { at } = await start(`Customer ID,Home,Cell\n${people.join('\n')}\n,${numberOf(500)},${numberOf(501)}\n`)
    const dry = await at.run(['dnc', 'import', 'stop.csv', '--dry-run'])
    expect(dry.stderr).toContain('2 phone columns: Home, Cell. Every number of a row goes on the list.')
    expect(dry.stderr).toContain('Ignored column: Customer ID.')
    expect(dry.stderr).toContain('122 numbers would be added')
  })

  it('takes only the columns that --map names', async () => {
    const { at, listed } = await start(two)
    expect(await at.run(['dnc', 'import', 'stop.csv', '--map', 'Mobile=phone'])).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([b, c, d])
    const both = await at.run(['dnc', 'import', 'stop.csv', '--map', 'Phone=phone', '--map', 'Mobile=phone', '--json'])
    expect(JSON.parse(both.stdout)).toMatchObject({ added: 1, by_code: { duplicate_dnc_entry: 3 } })
    expect(await listed()).toEqual([a, b, c, d])
  })

  it('writes only the refused number of a row to the failed file, and undoes every number', async () => {
    const { at, listed, failedRows } = await start(`Name,Phone,Mobile\nMaria,${a},12\nJohn,${b},${c}\n,,\nSue,,\n`)
    const ran = await at.run(['dnc', 'import', 'stop.csv', '--json'])
    expect(ran.code).toBe(6)
    const { undo, ...counts } = JSON.parse(ran.stdout) as { undo: string }
    expect(counts).toMatchObject({ added: 3, refused: 2, by_code: { invalid_phone: 1, missing_phone: 1 } })
    expect(failedRows().map((line) => line.split(',').slice(0, 5).join(','))).toEqual([
      'Name,Phone,Mobile,_line,_code',
      'Maria,,12,2,invalid_phone',
      'Sue,,,5,missing_phone',
    ])
    writeFileSync(join(at.svc.folder, 'stop.failed.csv'), `Name,Phone,Mobile,_line,_code,_message\nMaria,,${d},2,x,y\n`)
    expect(await at.run(['dnc', 'import', 'stop.failed.csv'])).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([a, b, c, d])
    expect(await at.svc.shell(`${undo} --yes`, { env: at.env })).toMatchObject({ code: 0 })
    expect(await listed()).toEqual([d])
  })

  it('goes on in the middle of a row after it was stopped', async () => {
    const people = Array.from({ length: 125 }, (_, nth) => `${numberOf(2 * nth)},${numberOf(2 * nth + 1)}`)
    const { at, listed } = await start(`Phone,Mobile\n${numberOf(999)},\n${people.join('\n')}\n`)
    const fault = { method: 'POST', path: '/dnc/batch', drop: true, after_commit: true, count: 4 }
    await at.simulation.control('POST', '/_sim/faults', fault)
    const stopped = await at.run(['dnc', 'import', 'stop.csv'])
    expect(stopped).toMatchObject({ code: 8 })
    const ran = await at.run(['dnc', 'import', 'stop.csv', '--resume', '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 251, refused: 0 })
    expect(await listed()).toHaveLength(251)
  })

  it.runIf(hasTerminals)('counts rows and numbers in the preview', async () => {
    const { at, listed } = await start(two)
    const env = { ...at.env, CI: '', NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.svc, ['dnc', 'import', 'stop.csv'], { env, columns: 120 })
    await terminal.shows(/stop\.csv: 3 rows, 4 numbers\. 2 phone columns: Phone, Mobile\./)
    await terminal.shows(/Put 4 numbers on the Do Not Call list at [^?]*\?/)
    terminal.type('y\r')
    expect(await terminal.end()).toMatchObject({
      code: 0,
      screen: expect.stringContaining('4 numbers added.') as string,
    })
    expect(await listed()).toEqual([a, b, c, d])
  })

  it('does not count a row without a number as a number', async () => {
    const { at } = await start(`Name,Phone,Mobile\nAnn,${a},${b}\nBo,12,\nCy,,\nDee,,\n`)
    const ran = await at.run(['dnc', 'import', 'stop.csv'])
    expect(ran.stderr).toContain(
      '2 numbers added, 1 number not added: 1 invalid number (line 3), 2 rows without a number (lines 4, 5).\n',
    )
  })

  it.runIf(hasTerminals).each([
    [
      `Name,Phone,Mobile\nAnn,${a},${b}\nBo,12,\nCy,,\nDee,,\nEd\n`,
      [
        'stop.csv: 5 rows, 3 numbers.',
        'Warning: 2 rows without a number will be refused.',
        'Warning: 1 row ends before its number (line 6).',
        'Warning: 1 of these 2 numbers belongs to a lead',
        'Put 2 numbers (1 of 3 numbers will be refused, 3 rows without a number) on the Do Not Call list',
      ],
    ],
    [
      `Phone,Mobile\n${a},${b}\n${b},${a}\n${c},12\n`,
      [
        'stop.csv: 3 rows, 4 numbers.',
        'Warning: 2 numbers that an earlier row has (line 3).',
        'Warning: 1 of these 3 numbers belongs to a lead, whom no campaign calls then: Ann.',
        'Put 3 numbers (1 of 4 numbers will be refused, 2 repeated numbers counted once) on the Do Not Call list',
      ],
    ],
    [
      `Phone\n${a}\n${a}\n${b}\n`,
      [
        'Warning: 1 row with the number of an earlier row (line 3).',
        'Warning: 1 of these 2 numbers belongs to a lead, whom no campaign calls then: Ann.',
        'Put 2 numbers (1 repeated row counted once) on the Do Not Call list',
      ],
    ],
  ])('counts each number once in the preview: %j', async (content, lines) => {
    const { at } = await start(content)
    await at.simulation.lead({ phone: a, name: 'Ann' }, at.client)
    const env = { ...at.env, CI: '', NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.svc, ['dnc', 'import', 'stop.csv'], { env, columns: 200 })
    await terminal.shows(/\(y\/N\)/)
    terminal.type('n\r')
    const { screen } = await terminal.end()
    for (const line of lines) expect(screen).toContain(line)
  })
})
