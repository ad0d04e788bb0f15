/** Exports: questions at a terminal, files that spreadsheets read as UTF-8, and sample rows of a test key. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, runAtTerminal, TerminalSvc } from '../support/programs/terminal.js'

const enter = '\r'
const create = ['exports', 'create', '--type', 'leads']

async function start(mode: 'live' | 'test' = 'live') {
  const at = await SvcAt.start({}, mode)
  await at.simulation.lead({ name: 'Zoë Lee', phone: '+12125557812', fields: { city: 'Troy', tier: '2' } }, at.client)
  return { at, path: (name: string) => join(at.svc.folder, name) }
}

describe('exports create', () => {
  it('a saved file begins with a byte order mark, standard output does not', async () => {
    const { at, path } = await start()
    const saved = await at.run([...create, '--download', path('leads.csv')])
    expect(saved).toMatchObject({ code: 0, stderr: expect.stringContaining('Saved ') as string })
    const piped = await at.run([...create, '--download', '-'])
    const bytes = readFileSync(path('leads.csv'))
    expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
    expect(bytes.subarray(3).toString()).toBe(piped.stdout)
    expect(piped.stdout).toMatch(/^phone,name,status,last_outcome,/)
  })

  it('a day can be a word or a number of days ago, as for --since', async () => {
    const { at, path } = await start()
    await at.simulation.advance('3d')
    const rows = async (...days: string[]) => {
      const { stderr, code } = await at.run([...create, '--download', path('leads.csv'), ...days])
      return { code, rows: /\((\d+) row/.exec(stderr)?.[1], note: /^--\S+ \S+ is .*$/m.exec(stderr)?.[0] }
    }
    expect(await rows('--start-date', 'yesterday')).toEqual({
      code: 0,
      rows: '0',
      note: '--start-date yesterday is 2026-10-03.',
    })
    expect(await rows('--start-date', '7d')).toMatchObject({ rows: '1', note: '--start-date 7d is 2026-09-27.' })
    expect(await rows('--end-date', '2026-10-04')).toMatchObject({ rows: '1' })
  })

  it('no cell holds JSON', async () => {
    const { at } = await start()
    const { stdout } = await at.run([...create, '--download', '-'])
    expect(stdout).toContain(',city: Troy; tier: 2,')
    expect(stdout).not.toMatch(/[{}[\]]/)
  })

  it('a test key is told that the rows are samples, and which command saves the leads', async () => {
    const samples = 'The rows are samples: a test key exports no data of yours.\n'
    const command = 'svc leads list --all --output csv > leads.csv'
    const test = await start('test')
    expect((await test.at.run(create)).stderr).toBe(`${samples}To save your leads instead:\n  ${command}\n`)
    expect(await test.at.svc.shell(command, { env: test.at.env })).toMatchObject({ code: 0 })
    expect(readFileSync(test.path('leads.csv'), 'utf8')).toContain('Zoë Lee')
    const live = await start()
    expect((await live.at.run(create)).stderr).toBe('')
  })
})

describe.runIf(hasTerminals)('exports create at a terminal', () => {
  const open = (at: SvcAt) =>
    new TerminalSvc(at.svc, ['exports', 'create'], { env: { ...at.env, NO_COLOR: '1', CI: '' }, columns: 160 })

  it('asks what, campaign, days and file, and saves', async () => {
    const { at, path } = await start()
    writeFileSync(path('call_history.csv'), 'mine')
    const terminal = open(at)
    await terminal.shows(/What:[^]*Analytics/)
    terminal.type('calls')
    await terminal.shows(/What: calls/)
    terminal.type(enter)
    await terminal.shows(/Campaign \(optional\):[^]*All campaigns[^]*Web leads/)
    terminal.type('web')
    await terminal.shows(/: web/)
    terminal.type(enter)
    await terminal.shows(/First day, such as 2026-10-01 or monday \(optional\):/)
    terminal.type(`1 October${enter}`)
    await terminal.shows(/That is not a day\./)
    terminal.type(`\u00152026-10-01${enter}`)
    await terminal.shows(/Last day \(optional\):/)
    terminal.type(enter)
    await terminal.shows(/Save as \(call_history-2\.csv\):/)
    terminal.type(`call_history.csv${enter}`)
    await terminal.shows(/call_history\.csv exists\. Type another name\./)
    terminal.type(`\u0015${enter}`)
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toMatchObject({ code: 0 })
    expect(screen).toContain(
      `svc exports create --type call_history --campaign 'Web leads' --start-date 2026-10-01 --download call_history-2.csv`,
    )
    expect(screen).toContain('Saved call_history-2.csv (1 row).')
    expect(readFileSync(path('call_history.csv'), 'utf8')).toBe('mine')
    expect(readFileSync(path('call_history-2.csv'), 'utf8')).toMatch(/^\ufefflead.phone,lead.name,outcome,/)
  })

  it('a test key is told before the first question that the rows are samples', async () => {
    const { at } = await start('test')
    const terminal = open(at)
    await terminal.shows(/^The rows are samples: a test key exports no data of yours\.\r\n[^]*What:/)
    terminal.type('\u0003')
    expect(await terminal.end()).toMatchObject({ code: 130 })
    const { screen } = await save(at).end()
    expect(screen.match(/The rows are samples/g)).toHaveLength(1)
  })

  const save = (at: SvcAt, ...more: string[]) =>
    new TerminalSvc(at.svc, [...create, '--download', 'mine.csv', ...more], {
      env: { ...at.env, NO_COLOR: '1', CI: '' },
      columns: 160,
    })

  it('asks before it replaces a file, and takes another name', async () => {
    const { at, path } = await start()
    writeFileSync(path('mine.csv'), 'a\nb\nc')
    writeFileSync(path('mine-2.csv'), 'd\n')
    const terminal = save(at)
    await terminal.shows(/mine\.csv exists \(3 lines\)\. Replace it\? \(y\/N\)/)
    terminal.type(enter)
    await terminal.shows(/Save as \(mine-3\.csv\):/)
    terminal.type(`mine-2.csv${enter}`)
    await terminal.shows(/mine-2\.csv exists\. Type another name\./)
    terminal.type(`\u0015${enter}`)
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toEqual({
      code: 0,
      screen: expect.stringContaining('Saved mine-3.csv (1 row).') as string,
    })
    expect(readFileSync(path('mine.csv'), 'utf8')).toBe('a\nb\nc')
    expect(readFileSync(path('mine-3.csv'), 'utf8')).toContain('Zoë Lee')
  })

  it('replaces a file after a yes, or with --yes, and in a script', async () => {
    const { at, path } = await start()
    const isSaved = () => readFileSync(path('mine.csv'), 'utf8').includes('Zoë Lee')
    writeFileSync(path('mine.csv'), 'a\n')
    const terminal = save(at)
    await terminal.shows(/mine\.csv exists \(1 line\)/)
    terminal.type(`y${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect(isSaved()).toBe(true)
    writeFileSync(path('mine.csv'), 'a\n')
    expect(await save(at, '--yes').end()).toMatchObject({ code: 0 })
    expect(isSaved()).toBe(true)
    writeFileSync(path('mine.csv'), 'a\n')
    expect(await at.run([...create, '--download', path('mine.csv')])).toMatchObject({ code: 0 })
    expect(isSaved()).toBe(true)
  })

  it('makes no export when the question is stopped', async () => {
    const { at, path } = await start()
    writeFileSync(path('mine.csv'), 'a\n')
    const terminal = save(at)
    await terminal.shows(/Replace it\?/)
    terminal.type('\u0003')
    const { code, screen } = await terminal.end()
    expect({ code, screen }).toEqual({
      code: 130,
      screen: expect.stringContaining('Cancelled. Nothing was changed.') as string,
    })
    expect(JSON.parse(await at.text('exports', 'list', '--json'))).toMatchObject({ data: [] })
  })

  it('asks nothing when the content is given', async () => {
    const { at, path } = await start()
    const env = { ...at.env, NO_COLOR: '1', CI: '' }
    const { code, screen } = await runAtTerminal(at.svc, create, { env })
    expect(code).toBe(0)
    expect(screen).not.toContain('Campaign (optional)')
    expect(existsSync(path('leads.csv'))).toBe(false)
  })
})
