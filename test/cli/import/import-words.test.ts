/** What an import says about its rows: in the preview, above its result, and about the file of refused rows. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'
import { json, stubServer } from '../../support/servers/stub-server.js'

const [one, two] = [numberOf(1), numberOf(2)]

describe('the sentence about the file of refused rows', () => {
  it('says that there is nothing to correct if the campaign has all of them, or that a number must not be called', async () => {
    const at = await ImportAt.start()
    await at.at.text('dnc', 'add', two)
    const file = at.file('people.csv', `Name,Phone\nAnn,${one}\nAnn,${one}\nBo,${two}\n`)
    const ran = await at.run(file)
    expect(ran.stderr).toContain('The refused rows are in people.failed.csv. There is nothing to correct in them.\n')
    const dry = await at.run(at.file('one.csv', `Name,Phone\nBo,${two}\n`), ['--dry-run'])
    expect(dry.stderr).toContain(
      'The row that would not be added is listed in one.failed.csv, with the reason. There is nothing to correct in it.\n',
    )
  })

  it('counts those that can be corrected', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone\nAnn,${one}\nAnn,${one}\nBo,12\n`)
    expect((await at.run(file, ['--dry-run'])).stderr).toContain('people.failed.csv, with the reasons: correct ')
    expect((await at.run(file)).stderr).toContain(
      'The refused rows are in people.failed.csv: correct 1 of them there and import that file. There is nothing to correct in the other one.\n',
    )
  })
})

describe('a row that ends before its number', () => {
  it('is called too short, with the number of its values', async () => {
    const at = await ImportAt.start()
    const ran = await at.run(at.file('people.csv', `Name,Town,Phone\nAnn,Rome,${one}\nBo\nCy,Rome\n`))
    expect(ran.stderr).toContain('2 rows not added: 2 rows that are too short (lines 3, 4).')
    expect(at.refused().map(({ _message }) => _message)).toEqual([
      'The row ends before its number: it has 1 value for 3 columns.',
      'The row ends before its number: it has 2 values for 3 columns.',
    ])
  })
})

describe.runIf(hasTerminals)('an import at a terminal', () => {
  it('says how many rows an earlier import of the file refused', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `Name,Phone\nAnn,${one}\nBo,12\nCy,${two}\n`)
    await at.run(file)
    const terminal = new TerminalSvc(at.at.svc, at.words(file), { env: { ...at.at.env, NO_COLOR: '1' }, columns: 160 })
    await terminal.shows(/\? \(Y\/n\)/)
    terminal.type('n\r')
    await terminal.shows(/\n3 rows, imported before, on [\d-]+ [\d:]+: 2 were added, 1 was refused\./)
    terminal.type('\u0003')
    expect(await terminal.end()).toMatchObject({ code: 130 })
  })

  it('clears the progress before it says where earlier refused rows are', async () => {
    const campaign = { id: '826568dd-2612-4886-ba0a-fbdca0d4f424', name: 'Web leads', status: 'running' }
    let batches = 0
    const { baseUrl } = await stubServer(({ method, path }, response) => {
      if (method === 'GET' && path.startsWith('/campaigns')) return json(response, 200, { data: [campaign] })
      if (method !== 'POST') return json(response, 404, { error: { code: 'not_found', message: 'None.' } })
      const limited = { code: 'lead_rate_limited', type: 'rate_limit_error', message: 'Too many.' }
      if (batches++ === 0) return json(response, 429, { error: limited }, { 'retry-after': '2' })
      const error = { code: 'invalid_phone', type: 'invalid_request_error', message: 'No.', param: 'phone' }
      json(response, 200, { data: { results: [{ index: 0, ok: false, error }] } })
    })
    const svc = new Svc()
    writeFileSync(join(svc.folder, 'people.csv'), `Name,Phone\nAnn,12\n`)
    writeFileSync(join(svc.folder, 'people.failed.csv'), 'Name,Phone,_line,_code,_message\nBo,13,9,x,y\n')
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', NO_COLOR: '1', CI: '' }
    const words = ['leads', 'import', 'people.csv', '--campaign', campaign.id, '--yes']
    const { screen } = await new TerminalSvc(svc, words, { env, columns: 160 }).end()
    expect(screen).toContain('\r\u001b[KThe refused rows of an earlier run are kept in ')
  })
})
