/** svc api: any request, and its reply as it came. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../support/programs/svc-at.js'
import { json, stubServer, type Answering } from '../support/servers/stub-server.js'
import { Svc, type Words } from '../support/programs/svc.js'

const svc = new Svc()

async function facing(answer: Answering) {
  const { baseUrl, asked } = await stubServer(answer)
  const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }
  const api = (args: readonly string[], words: Words = {}) => svc.run(['api', ...args], { ...words, env })
  return { api, asked }
}

const done: Answering = (_asked, response) => json(response, 200, { data: { id: 'one' }, later: 1 }, { 'x-own': 'yes' })

const error = { type: 'invalid_request_error', code: 'not_found', message: 'There is no such lead.', later: [1] }

const refused: Answering = (_asked, response) => json(response, 404, { error }, { 'request-id': 'req_7' })

/** Three pages, the last one after `b`. */
const pages: Answering = ({ path }, response) => {
  const after = new URL(path, 'http://x').searchParams.get('starting_after')
  const next = { a: 'b', b: null }[after ?? ''] ?? (after === null ? 'a' : null)
  json(response, 200, { data: [{ after }], meta: { next_cursor: next, has_more: next !== null } })
}

describe('svc api sends', () => {
  it('a GET where there is only a path, with a query and headers, and prints the reply as it came', async () => {
    const { api, asked } = await facing(done)
    const ran = await api(['leads', '-q', 'limit=5', '-q', 'status=queued', '-H', 'X-Own: a:b'])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ran.stdout)).toEqual({ data: { id: 'one' }, later: 1 })
    expect(asked).toMatchObject([{ method: 'GET', path: '/leads?limit=5&status=queued', headers: { 'x-own': 'a:b' } }])
  })

  it('a request whose reply is printed in the chosen format, with the chosen columns', async () => {
    const data = [{ id: 'a', name: 'Ann', fields: { city: 'Troy' } }]
    const { api } = await facing((_asked, response) => json(response, 200, { data, meta: { has_more: false } }))
    const stdout = async (...words: string[]) => (await api(['/leads', ...words])).stdout
    expect(await stdout('-o', 'csv')).toBe('id,name,fields.city\na,Ann,Troy\n')
    expect(await stdout('-o', 'tsv', '--columns', 'name,id')).toBe('name\tid\nAnn\ta\n')
    expect(await stdout('-o', 'table')).toBe('ID  Name  Fields\na   Ann   city: Troy\n')
    expect(await stdout('-o', 'ndjson', '--paginate')).toBe(`${JSON.stringify(data[0])}\n`)
    expect(JSON.parse(await stdout('--columns', 'name'))).toEqual({
      data: [{ name: 'Ann' }],
      meta: { has_more: false },
    })
    expect(await api(['/leads', '--columns', 'nmae'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('fields as text, typed, and out of a file: a POST with a key of its own', async () => {
    const { api, asked } = await facing(done)
    writeFileSync(join(svc.folder, 'note.txt'), 'said "so"\n')
    const typed = ['call_now=true', 'tries=3', 'name=null', 'note=@note.txt', 'city=Albany']
    const ran = await api(['/leads', '-f', 'phone=+1', '-f', 'x=true', ...typed.flatMap((pair) => ['-F', pair])])
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(asked).toMatchObject([{ method: 'POST', headers: { 'idempotency-key': expect.any(String) as string } }])
    const body = { phone: '+1', x: 'true', call_now: true, tries: 3, name: null, note: 'said "so"\n', city: 'Albany' }
    expect(JSON.parse(asked[0]?.body ?? '')).toEqual(body)
  })

  it('by the method of -X, like curl and gh', async () => {
    const { api, asked } = await facing(done)
    await api(['-X', 'POST', '/dnc', '-f', 'phone=+12125557812'])
    await api(['/dnc/one', '--method', 'delete'])
    expect(asked.map(({ method, path }) => [method, path])).toEqual([
      ['POST', '/dnc'],
      ['DELETE', '/dnc/one'],
    ])
    for (const words of [
      ['-X', 'POST', 'GET', '/dnc'],
      ['-X', 'FETCH', '/dnc'],
    ])
      expect(await api(words)).toMatchObject({ code: 2, stderr: expect.stringMatching(/method/) as string })
  })

  it('what --input brings, from a file or standard input, by any method in any case', async () => {
    const { api, asked } = await facing(done)
    writeFileSync(join(svc.folder, 'body.json'), '{"a":1}')
    await api(['patch', '/leads/one', '--input', 'body.json'])
    await api(['POST', '/dnc', '--input', '-', '--idempotency-key', 'mine'], { stdin: '{"b":2}' })
    await api(['DELETE', '/dnc/one'])
    expect(asked.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PATCH', '/leads/one', '{"a":1}'],
      ['POST', '/dnc', '{"b":2}'],
      ['DELETE', '/dnc/one', ''],
    ])
    expect(asked[1]?.headers['idempotency-key']).toBe('mine')
  })

  it('as many requests as a list has pages with --paginate, for one document', async () => {
    const { api, asked } = await facing(pages)
    const { stdout } = await api(['/leads', '--paginate', '-q', 'limit=1'])
    expect(JSON.parse(stdout)).toEqual({
      data: [{ after: null }, { after: 'a' }, { after: 'b' }],
      meta: { next_cursor: null, has_more: false },
    })
    expect(asked.every(({ path }) => path.includes('limit=1'))).toBe(true)
  })
})

describe('svc api', () => {
  it.each([
    '/../../../_sim/world',
    '/leads/../../../../_sim/world',
    'leads/..',
    '/leads/./one',
    '/%2e%2e/%2E%2E/_sim/world',
    '/.%2e/world',
    '/leads\\..\\..\\world',
    '/.\t./world',
    '/..?limit=1',
  ])('refuses %j, which could leave the base address, before it sends anything', async (path) => {
    const { api, asked } = await facing(done)
    expect(await api([path])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('base address') as string,
    })
    expect(asked).toEqual([])
  })

  it('sends dots that are part of a name or of the query', async () => {
    const { api, asked } = await facing(done)
    await api(['/leads/a..b/.well-known?q=../x'])
    expect(asked.map(({ path }) => path)).toEqual(['/leads/a..b/.well-known?q=../x'])
  })

  it('prints status and headers first with -i', async () => {
    const { api } = await facing(done)
    const [head = '', body = ''] = (await api(['/leads', '-i'])).stdout.split('\n\n')
    expect(head).toMatch(/^HTTP 200\n(?:.*\n)*x-own: yes/)
    expect(JSON.parse(body)).toMatchObject({ later: 1 })
  })

  it('tells a refusal on stderr alone, as the API sent it where JSON is asked for', async () => {
    const { api } = await facing(refused)
    const text = await api(['/leads/one'])
    expect(text).toMatchObject({ code: 3, stdout: '' })
    expect(text.stderr).toMatch(
      /^Error: There is no such lead\.\n {2}code: not_found {2}status: 404 {2}request: req_7\n/,
    )
    const document = await api(['/leads/one', '--json'])
    expect(document).toMatchObject({ code: 3, stdout: '' })
    expect(JSON.parse(document.stderr)).toEqual({ error, exit_code: 3 })
    const { stdout } = await api(['/leads/one', '-i'])
    expect(stdout).toMatch(/^HTTP 404\n(?:.*\n)*request-id: req_7\n(?:.*\n)*\n$/)
  })

  it('exits 2 for a typed parameter or field that the service cannot read, and names it', async () => {
    const at = await SvcAt.start()
    for (const [args, flag] of [
      [['/leads', '-q', 'limit=999'], '--query limit=999'],
      [['POST', '/leads', '-f', 'campaign_id=x'], '--field campaign_id=x'],
      [['POST', '/leads', '-f', `campaign_id=${'x'.repeat(90)}`], '--field campaign_id'],
      [['POST', '/leads', '-F', 'campaign_id=7'], '--typed-field campaign_id=7'],
    ] as const) {
      const ran = await at.run(['api', ...args])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toContain(`Error: ${flag}: `)
    }
    const untyped = await at.run(['api', 'POST', '/leads', '--input', '-'], { stdin: '{"campaign_id":"x"}' })
    expect(untyped).toMatchObject({ code: 5, stdout: '' })
  })

  it.each([
    [[], 'Missing: <path>.'],
    [['GET'], 'Missing: <path>.'],
    [['FETCH', '/leads'], 'FETCH is not an HTTP method.'],
    [['https://example.com/leads'], 'Give the path below the base address'],
    [['/leads', '-f', 'a=1', '--input', 'body.json'], 'Give the body by fields or by --input, not both.'],
    [['/leads', '--input', 'nowhere.json'], 'nowhere.json cannot be read'],
    [['/leads', '-F', 'a=@nowhere.txt'], 'nowhere.txt cannot be read'],
    [['/leads', '-H', 'nothing'], 'The value of --header is not a header.'],
    [['POST', '/leads', '--paginate'], '--paginate follows lists'],
  ])('%j is not sent', async (args: string[], says) => {
    const { api, asked } = await facing(done)
    const ran = await api(args)
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
    expect(asked).toEqual([])
  })
})
