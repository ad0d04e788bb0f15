/** A list of numbers that should not have been imported: the dry run, the question, and the way back. */
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { DncEntry } from '../../../../src/contract/dnc.js'
import { numberOf } from '../../../support/programs/import-at.js'
import { SvcAt } from '../../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../../support/programs/terminal.js'

const [before, one, two, texted] = [numberOf(0), numberOf(1), numberOf(2), numberOf(3)]

/** A simulator with one listed number, and a file that has it too. */
async function start() {
  const at = await SvcAt.start()
  await at.client.post('/dnc', { phone: before })
  writeFileSync(join(at.svc.folder, 'numbers.csv'), `phone\n${before}\n(646) 201-1001\n${two}\n${two}\n12\n`)
  const listed = async () => (await at.client.all<DncEntry>('/dnc', 'cursor')).map(({ phone }) => phone).sort()
  const importFile = async () =>
    JSON.parse((await at.run(['dnc', 'import', 'numbers.csv', '--json'])).stdout) as { undo: string }
  return { at, listed, importFile }
}

describe('dnc import', () => {
  it('--dry-run says what would be added and saves nothing', async () => {
    const { at, listed } = await start()
    const { stdout, code } = await at.run(['dnc', 'import', 'numbers.csv', '--dry-run', '--json'])
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toEqual({
      added: 0,
      refused: 3,
      would_add: 2,
      by_code: { duplicate_dnc_entry: 2, invalid_phone: 1 },
      failed_file: 'numbers.failed.csv',
      undo: null,
    })
    expect(await listed()).toEqual([before])
  })

  it('names the command that undoes it, which leaves numbers alone that were listed before', async () => {
    const { at, listed, importFile } = await start()
    const { undo } = await importFile()
    expect(undo).toMatch(/^svc dnc remove --from-import [0-9a-f]{32}$/)
    expect(await listed()).toEqual([before, one, two])
    expect(await at.svc.shell(undo, { env: at.env })).toMatchObject({ code: 2 })
    const undone = await at.svc.shell(`${undo} --yes --json`, { env: at.env })
    expect(JSON.parse(undone.stdout)).toEqual({ data: { removed: 2, kept: 0 } })
    expect(await listed()).toEqual([before])
    const again = await at.svc.shell(`${undo} --yes`, { env: at.env })
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('to undo') as string })
  })

  it('undone: a number stays that a person put back on the list', async () => {
    const { at, listed, importFile } = await start()
    const { undo } = await importFile()
    const { data } = await at.client.get<DncEntry[]>('/dnc')
    await at.client.del(`/dnc/${data.find(({ phone }) => phone === one)?.id ?? ''}`)
    expect(await at.run(['simulate', 'text', one, 'STOP'])).toMatchObject({ code: 0 })
    const undone = await at.svc.shell(`${undo} --yes --json`, { env: at.env })
    expect(JSON.parse(undone.stdout)).toEqual({ data: { removed: 1, kept: 1 } })
    expect(await listed()).toEqual([before, one])
  })

  it('undone without its name: scripts are told what lists the imports, which names file and time', async () => {
    const { at, importFile } = await start()
    expect(await at.run(['dnc', 'list', '--imports'])).toMatchObject({ code: 0, stderr: 'No imports.\n' })
    const { undo } = await importFile()
    const [imported] = await at.data<Record<string, unknown>[]>('dnc', 'list', '--imports')
    expect(imported).toEqual({
      ...{ file: 'numbers.csv', numbers: 2, import: undo.split(' ').at(-1) },
      imported: expect.stringMatching(/^\d{4}-.*Z$/) as string,
    })
    for (const words of [['--from-import'], ['--from-import', '--yes']])
      expect(await at.run(['dnc', 'remove', ...words])).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /^Error: Missing: --from-import\.\n {2}Name an import\. svc dnc list --imports shows them\./,
        ) as string,
      })
    const { key_id: SVC_KEY_ID, secret: SVC_SECRET } = at.simulation.test.key
    const other = await at.run(['dnc', 'list', '--imports'], { env: { SVC_KEY_ID, SVC_SECRET } })
    expect(other).toMatchObject({ code: 0, stderr: 'No imports.\n' })
  })

  it.runIf(hasTerminals)(
    'undone without its name: a terminal offers the imports, also one whose file is not recorded',
    async () => {
      const { at, listed, importFile } = await start()
      const { undo } = await importFile()
      const name = undo.split(' ').at(-1) ?? ''
      const folder = join(at.svc.folder, 'data', 'imports')
      const record = readFileSync(join(folder, `${name}.added`), 'utf8')
      // Records of earlier versions have no file.
      const older = record.replace('"file":"numbers.csv",', '')
      expect(older).not.toBe(record)
      writeFileSync(join(folder, `${'a'.repeat(32)}.added`), older)
      utimesSync(join(folder, `${'a'.repeat(32)}.added`), 1, Date.now() / 1000 - 3600)
      const env = { ...at.env, NO_COLOR: '1', CI: '' }
      const terminal = new TerminalSvc(at.svc, ['dnc', 'remove', '--from-import'], { env, columns: 160 })
      await terminal.shows(
        /Import to undo:[^]*❯ numbers\.csv: 2 numbers \([\d: -]+\)\s+A file that is not recorded: 2 numbers \(/,
      )
      terminal.type('\r')
      await terminal.shows(/Take 2 numbers of the import of numbers\.csv off the Do Not Call list, /)
      terminal.type('y\r')
      const { code, screen } = await terminal.end()
      expect(code).toBe(0)
      expect(screen).toContain(`without questions: svc dnc remove --from-import ${name} --yes`)
      expect(await listed()).toEqual([before])
    },
  )

  it('undo refuses another account and a name that is none', async () => {
    const { at, importFile } = await start()
    const { undo } = await importFile()
    const { key_id: SVC_KEY_ID, secret: SVC_SECRET } = at.simulation.test.key
    const other = await at.svc.shell(`${undo} --yes`, { env: { ...at.env, SVC_KEY_ID, SVC_SECRET } })
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('another key or address') as string })
    expect(await at.run(['dnc', 'remove', '--from-import', '../x', '--yes'])).toMatchObject({ code: 2 })
    expect(await at.run(['dnc', 'remove', texted, '--from-import', 'x', '--yes'])).toMatchObject({ code: 2 })
  })

  it.runIf(hasTerminals)('at a terminal shows the first numbers and asks', async () => {
    const { at, listed } = await start()
    const env = { ...at.env, NO_COLOR: '1' }
    const terminal = new TerminalSvc(at.svc, ['dnc', 'import', 'numbers.csv'], { env, columns: 220 })
    await terminal.shows(
      /LIVE Put 3 numbers \(1 of 4 rows will be refused, 1 repeated row counted once\) on the Do Not Call list at 127\.0\.0\.1:\d+, so that no campaign calls them\? \(y\/N\)/,
    )
    terminal.type('\r')
    const { code, screen } = await terminal.end()
    expect(code).toBe(2)
    expect(screen).toContain('numbers.csv: 5 rows. Columns: phone → phone.\n')
    expect(screen).toContain('Cancelled. Nothing was changed.')
    expect(await listed()).toEqual([before])
  })
})
