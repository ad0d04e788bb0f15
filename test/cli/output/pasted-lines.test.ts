/** Several lines pasted at a question for one value: a column of a spreadsheet at "Phone:". */
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const enter = '\r'
const ctrlC = '\u0003'
const column = ['(212) 555-7812', '(212) 555-7813', '(212) 555-7814']

function start(at: SvcAt, args: readonly string[], env: Record<string, string> = {}): TerminalSvc {
  return new TerminalSvc(at.svc, args, { env: { ...at.env, CI: '', ...env }, columns: 160 })
}

describe.runIf(hasTerminals)('lines pasted at a question', () => {
  it.each([
    ['with a line break at the end', `${column.join(enter)}${enter}`, {}],
    ['without one', column.join(enter), {}],
    ['at a terminal that redraws nothing', `${column.join('\n')}\n`, { TERM: 'dumb' }],
  ])('dnc add: refuses a column of numbers %s, and names dnc import', async (_, pasted, env) => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['dnc', 'add', '--yes'], env)
    await terminal.shows(/Phone:/)
    terminal.type(pasted)
    await terminal.shows(
      /3 lines were pasted, and there is room for one\. None of them was used\.[^]*svc dnc import <file>/,
    )
    expect((await at.client.get<unknown[]>('/dnc')).data).toEqual([])
    terminal.type(`212 555 7819${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
    expect((await at.client.get<unknown[]>('/dnc')).data).toMatchObject([{ phone: '+12125557819' }])
  })

  it('leads add: refuses them and names leads import', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['leads', 'add', '--campaign', 'Web leads'])
    await terminal.shows(/Phone:/)
    terminal.type(`${column.join(enter)}${enter}`)
    await terminal.shows(/3 lines were pasted[^]*svc leads import <file>/)
    terminal.type(ctrlC)
    expect((await terminal.end()).screen).not.toContain('Name (optional)')
    expect((await at.client.get<unknown[]>('/leads')).data).toEqual([])
  })

  it('takes one number that was copied with its line break and empty lines', async () => {
    const at = await SvcAt.start({}, 'test')
    const terminal = start(at, ['dnc', 'add', '--yes'])
    await terminal.shows(/Phone:/)
    terminal.type(`${enter}212 555 7819${enter}${enter}`)
    expect(await terminal.end()).toMatchObject({ code: 0 })
  })

  it('a list to choose from takes none of them, and is asked again', async () => {
    const at = await SvcAt.start({}, 'test')
    for (const phone of ['+12125557812', '+12125557813']) await at.simulation.lead({ phone, name: phone }, at.client)
    const terminal = start(at, ['leads', 'opt-out', '--yes'])
    await terminal.shows(/Lead .*:[^]*\+12125557812/)
    terminal.type(`${column.join(enter)}${enter}`)
    await terminal.shows(/3 lines were pasted/)
    expect((await at.client.get<unknown[]>('/dnc')).data).toEqual([])
    terminal.type(`212 555 7812${enter}`)
    const { screen, code } = await terminal.end()
    expect({ screen, code }).toMatchObject({ code: 0 })
    expect((await at.client.get<unknown[]>('/dnc')).data).toMatchObject([{ phone: '+12125557812' }])
  })
})
