/** Errors of the service that come from a flag name the flag, and every error says what to do about its own cause. */
import { describe, expect, it } from 'vitest'
import { flagOfParam } from '../../../src/cli/errors/flag-of-param.js'
import { refuse, stubServer } from '../../support/servers/stub-server.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals, runAtTerminal } from '../../support/programs/terminal.js'

const nobody = '0d9f4a52-6a0e-4d9b-8a57-3b1f5c2e7d10'

describe('the flag of a param', () => {
  const flags = [
    'campaign',
    'event',
    'field',
    'name',
    'since',
    'starting-after',
    'consent-source',
    'consent-at',
    'phone',
  ]
  const of = (param: string | null, given: Record<string, unknown> = {}) =>
    flagOfParam(param, { flags: [...flags, 'start-date', 'lead'], args: ['endpoint', 'call'], given })

  it.each([
    ['campaign_id', '--campaign'],
    ['campaign_ids[0]', '--campaign'],
    ['events[2]', '--event'],
    ['fields.name', '--field'],
    ['created[gte]', '--since'],
    ['starting_after', '--starting-after'],
    ['cursor', '--starting-after'],
    ['consent', '--consent-source'],
    ['consent.agreed_at', '--consent-at'],
    ['filters.startDate', '--start-date'],
    ['lead_id', '--lead'],
    ['id', '<endpoint>'],
    ['calls[0].outcome', undefined],
    ['leads[3].phone', undefined],
    ['colour', undefined],
    [null, undefined],
  ])('of %s is %s', (param, flag) => expect(of(param)).toBe(flag))

  it('has its value, unless that is long', () => {
    expect(of('name', { name: 'Ada "A" Lovelace' })).toBe('--name "Ada \\"A\\" Lovelace"')
    expect(of('name', { name: 'x'.repeat(61) })).toBe('--name')
    expect(of('leads[0].phone', { phone: '12' })).toBe('--phone "12"')
  })
})

describe('a value that the service refuses', () => {
  it('exits 2 and names the flag if the value is malformed', async () => {
    const at = await SvcAt.start()
    const add = ['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', at.simulation.phone()]
    const consent = ['--consent-source', 'web_form', '--consent-at', 'yesterday']
    for (const [words, message] of [
      [['usage', '--period', 'tomorrow'], '--period "tomorrow": send a month as YYYY-MM.'],
      [['exports', 'create', '--type', 'leads', '--start-date', '2026-13-01'], '--start-date "2026-13-01": invalid'],
      [[...add, ...consent], '--consent-at "yesterday": send an ISO 8601 date-time'],
      [['simulate', 'organization', '--name', 'x', '--time-zone', 'Mars/X'], '--time-zone "Mars/X": Mars/X is not'],
    ] as const) {
      const ran = await at.run(words)
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(`Error: ${message}`)
      expect(ran.stderr).toMatch(
        /\n {2}svc .* --help shows what it takes\.\n {2}code: invalid_request {2}status: 400 {2}/,
      )
    }
  })

  it('leaves the JSON document as the service sent it', async () => {
    const at = await SvcAt.start()
    const { code, stderr } = await at.run(['usage', '--period', 'tomorrow', '--json'])
    expect({ code, document: JSON.parse(stderr) as unknown }).toMatchObject({
      code: 2,
      document: {
        error: { code: 'invalid_request', param: 'period', message: expect.stringMatching(/^period: /) as string },
        exit_code: 2,
      },
    })
  })

  it('exits 3 for an id of nothing and 5 for a rule, and names the flag', async () => {
    const at = await SvcAt.start()
    const ran = await at.run(['leads', 'add', '--campaign', nobody, '--phone', at.simulation.phone()])
    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`Error: --campaign "${nobody}": There is no`) as string,
    })
    expect(await at.run(['dnc', 'add', '12'])).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('Error: <phone> "12": The phone') as string,
    })
  })

  it('says that an extension cannot be dialed', async () => {
    const at = await SvcAt.start()
    const number = '212 555 7812 ext 4'
    const add = ['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', number]
    for (const words of [add, ['dnc', 'add', number]]) {
      const ran = await at.run(words)
      expect(ran).toMatchObject({ code: 5, stdout: '' })
      expect(ran.stderr).toContain(
        '\n  The phone has an extension (ext 4): remove it, an extension cannot be dialed.\n',
      )
    }
  })

  it('says that the area code is missing', async () => {
    const at = await SvcAt.start()
    for (const number of ['555-7812', '5557812']) {
      const ran = await at.run(['dnc', 'add', number])
      expect(ran).toMatchObject({ code: 5, stdout: '' })
      expect(ran.stderr).toContain('\n  The area code is missing: a number has 10 digits, such as (212) 555-7812.\n')
    }
  })

  it('names the typed number, not the one that the service has masked', async () => {
    const at = await SvcAt.start()
    const ran = await at.run(['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', '+12125550199'])
    expect(ran).toMatchObject({ code: 5, stdout: '' })
    expect(ran.stderr).toMatch(/^Error: --phone "\+12125550199" is reserved for examples \(555-0100 to 555-0199\)\.\n/)
  })

  it('exits 2 for a name that matches nothing', async () => {
    const at = await SvcAt.start()
    expect(await at.run(['simulate', 'snapshot', 'restore', 'nowhere', '--yes'])).toMatchObject({
      code: 2,
      stderr: 'Error: <name> "nowhere": no such snapshot.\n  svc simulate snapshot list shows them.\n',
    })
    expect((await at.run(['simulate', 'snapshot', 'delete', 'nowhere', '--yes'])).code).toBe(2)
    expect((await at.run(['campaigns', 'get', 'nowhere'])).code).toBe(2)
    // A command without flags.
    expect(await at.run(['webhooks', 'get', nobody])).toMatchObject({ code: 3 })
  })

  it.runIf(hasTerminals)('has the technical facts on one dim line at a terminal', async () => {
    const at = await SvcAt.start()
    const { screen } = await runAtTerminal(at.svc, ['usage', '--period', 'x'], { env: at.env, columns: 200 })
    expect(screen).toContain('\n\u001b[2m  code: invalid_request  status: 400  param: period  request: req_')
  })
})

describe('what to do next', () => {
  it('shows how to look at an entry of the DNC list, not how to remove it', async () => {
    const at = await SvcAt.start()
    const phone = at.simulation.phone()
    await at.text('dnc', 'add', phone)
    const { code, stderr } = await at.run(['leads', 'add', '--campaign', at.simulation.campaignId, '--phone', phone])
    expect({ code, stderr }).toEqual({ code: 5, stderr: expect.stringContaining('on the Do Not Call list') as string })
    const [, hint = ''] = /\n {2}svc (dnc list --search \S+) shows when the number was listed/.exec(stderr) ?? []
    expect(stderr).not.toContain('dnc remove')
    expect(await at.text(...hint.split(' '))).toContain(phone)
  })

  it('blames the typed address, and the simulator only if no address was typed', async () => {
    const svc = new Svc()
    const at = (env: Record<string, string>, ...words: string[]) =>
      svc.run(['leads', 'list', '--max-wait', '0', ...words], { env: { SVC_SECRET: 'cs_test_none', ...env } })
    const typed = await at({}, '--base-url', 'http://127.0.0.1:1/api')
    expect(typed).toMatchObject({
      code: 8,
      stderr: expect.stringContaining('Check the address in --base-url') as string,
    })
    expect(typed.stderr).not.toContain('svc simulate')
    expect((await at({ SVC_BASE_URL: 'http://127.0.0.1:1/api' })).stderr).toContain('Check the address in SVC_BASE_URL')
    await svc.run(['profiles', 'add', 'gone', '--base-url', 'http://127.0.0.1:1/api', '--secret', '-'], {
      stdin: 'cs_test_none',
    })
    expect((await at({}, '--profile', 'gone')).stderr).toContain('Is it running? svc simulate starts the simulator')
  })

  it('svc login speaks of the address it was given, not of the one in use', async () => {
    const svc = new Svc()
    const login = (url: string) =>
      svc.run(['login', '--base-url', url, '--secret', '-', '--max-wait', '0'], { stdin: 'cs_test_none' })
    const { baseUrl } = await stubServer((_asked, response) => response.writeHead(200).end('<html>'))
    for (const url of ['http://127.0.0.1:1/api', baseUrl]) {
      const { stderr } = await login(url)
      expect(stderr).toContain('Check the address in --base-url')
      expect(stderr).not.toContain('whoami')
    }
  })

  it('says where a refused key came from, and what replaces it', async () => {
    const svc = new Svc()
    const { baseUrl } = await stubServer((_asked, response) => refuse(response, 401, 'authentication_failed'))
    await svc.run(['profiles', 'add', 'work', '--base-url', baseUrl, '--secret', '-'], { stdin: 'cs_test_none' })
    expect((await svc.run(['leads', 'list', '--profile', 'work'])).stderr).toContain('svc login --profile work saves')
    const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_none' }
    expect((await svc.run(['leads', 'list'], { env })).stderr).toContain('The key is from SVC_SECRET')
  })
})
