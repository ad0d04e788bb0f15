/** An import as a person at a terminal sees it: what will be sent, a question, a bar. */
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { stepOf } from '../../src/cli/import/report.js'
import { Progress } from '../../src/output/progress.js'
import { ImportAt, numberOf } from '../support/import-at.js'
import { hasTerminals, TerminalSvc } from '../support/terminal.js'

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
    expect(lines[1]).toMatch(/^Phone +Name +town$/)
    expect(lines[2]).toMatch(/^\+16462011000 +Ann Lee +Albany$/)
    expect(lines[4]).toContain(`Add 2 leads to the campaign Web leads (${at.simulation.campaignId}) at 127.0.0.1:`)
    expect(await at.batches()).toEqual([])
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
})
