/** `--jq` filters JSON output, and `--json a,b` selects its fields. */
import { describe, expect, it } from 'vitest'
import { withJsonFields } from '../../../src/cli/base/json-fields.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals, runAtTerminal } from '../../support/programs/terminal.js'

/** A service with one page of these leads. */
async function listing(leads: readonly object[]) {
  const page = { data: leads, meta: { next_cursor: null, has_more: false } }
  const { baseUrl, asked } = await stubServer((_asked, response) => json(response, 200, page))
  return { svc: new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }), asked }
}

const two = [
  { id: 'a', name: 'Ann\nLee', status: 'queued' },
  { id: 'b', name: null, status: 'dialing' },
]

describe('--jq', () => {
  it.each([
    ['.data[].id', 'a\nb\n'],
    ['.data[0].name', 'Ann\nLee\n'],
    ['.data[0] | {id, status}', '{"id":"a","status":"queued"}\n'],
    ['.data | length', '2\n'],
    ['.data[] | select(.status == "dialing") | .name', 'null\n'],
    ['.data[] | [.id, .status] | @csv', '"a","queued"\n"b","dialing"\n'],
    ['empty', ''],
    ['-1', '-1\n'],
    ['def f: .id; .data[0] | f # the first', 'a\n'],
  ])('%s prints %j, strings raw', async (expression, stdout) => {
    const { svc } = await listing(two)
    expect(await svc.run(['leads', 'list', '--jq', expression])).toMatchObject({ code: 0, stdout, stderr: '' })
  })

  it('filters 10,000 rows as one document, and with ndjson each row', async () => {
    const leads = Array.from({ length: 10_000 }, (_, at) => ({ id: `lead-${at}`, name: `Ann ${at}`, status: 'queued' }))
    const { svc } = await listing(leads)
    const count = await svc.run(['leads', 'list', '--all', '--jq', '.data | length'])
    expect(count).toMatchObject({ code: 0, stdout: '10000\n' })
    const each = await svc.run(['leads', 'list', '--all', '--jq', '.id', '-o', 'ndjson'])
    expect(each).toMatchObject({ code: 0, stdout: leads.map(({ id }) => `${id}\n`).join('') })
  })

  it('filters records, streams and replies of any request', async () => {
    const at = await SvcAt.start()
    const { campaignId } = at.simulation
    expect(await at.text('campaigns', 'get', campaignId, '--jq', '.data.name')).toBe('Web leads\n')
    expect(await at.text('api', '/campaigns', '--jq', '.data[].id')).toBe(`${campaignId}\n`)
    expect(await at.text('version', '--jq', '.data.version | type')).toBe('string\n')
    expect(await at.text('whoami', '--jq', '.data.mode.value')).toBe('live\n')
    await at.simulation.lead({}, at.client)
    const tail = ['events', 'tail', '--since', '2020-01-01', '--limit', '2', '--jq', '.type']
    expect((await at.run(tail)).stdout).toMatch(/^(\w+\.\w+\n){2}$/)
  })

  it('refuses a malformed expression before anything is sent', async () => {
    const { svc, asked } = await listing(two)
    for (const [expression, message] of [
      ['.data[', '--jq: syntax error, unexpected end of file (column 6).'],
      ['nosuch', '--jq: nosuch/0 is not defined (column 1).'],
      ['', '--jq: Top-level program not given (try ".").'],
    ] as const) {
      const ran = await svc.run(['leads', 'list', '--jq', expression])
      expect(ran).toMatchObject({ code: 2, stdout: '' })
      expect(ran.stderr).toBe(`Error: ${message}\n  Write it as for jq, such as --jq '.data[].id'.\n`)
    }
    expect(await svc.run(['leads', 'list', '--jq', '.', '-o', 'csv'])).toMatchObject({ code: 2, stdout: '' })
    expect(asked).toEqual([])
  })

  it('exits 1 if the expression does not fit the reply, because the request was carried out', async () => {
    const { svc } = await listing(two)
    expect(await svc.run(['leads', 'list', '--jq', '.data.id'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr:
        'Error: --jq: Cannot index array with string ("id").\n  Without --jq, --json prints what the expression filters.\n',
    })
  })

  it.runIf(hasTerminals)('indents objects at a terminal, and obeys nothing in a string', async () => {
    const { svc } = await listing([{ id: 'a\u001b[2Jb' }])
    const at = (expression: string) => runAtTerminal(svc, ['leads', 'list', '--jq', expression])
    expect((await at('.data[0]')).screen).toBe('{\n  "id": "a\\u001b[2Jb"\n}\n')
    expect((await at('.data[0].id')).screen).toBe('ab\n')
  })
})

describe('--json with fields', () => {
  const read = async (line: string) =>
    (await withJsonFields(line.split(' '), () => Promise.resolve(['id', 'phone']))).join(' ')

  it.each([
    ['--json id,phone', '--json --columns id,phone'],
    ['--json=id', '--json --columns id'],
    ['--json phone --all', '--json --columns phone --all'],
    ['--json lead.phone,id --limit 3', '--json --columns lead.phone,id --limit 3'],
    ['--json 3f0c9c58', '--json 3f0c9c58'],
    ['--json --all', '--json --all'],
    ['--json', '--json'],
    ['a -- --json id', 'a -- --json id'],
  ])('%s is read as %s', async (typed, meant) => expect(await read(typed)).toBe(meant))

  it('prints only these fields and keeps the document', async () => {
    const { svc } = await listing(two)
    const wanted = {
      data: [
        { id: 'a', status: 'queued' },
        { id: 'b', status: 'dialing' },
      ],
      meta: { next_cursor: null, has_more: false },
    }
    for (const words of [
      ['leads', 'list', '--json', 'id,status'],
      ['leads', 'list', '--json=id,status'],
      ['leads', '--json', 'id,status', 'list'],
      ['--json', 'id,status', 'leads', 'list'],
    ])
      expect(JSON.parse((await svc.run(words)).stdout), words.join(' ')).toEqual(wanted)
    expect((await svc.run(['leads', 'list', '--json', 'status', '--jq', '.data[1]'])).stdout).toBe(
      '{"status":"dialing"}\n',
    )
  })

  it('runs the command that follows --json', async () => {
    const { svc } = await listing(two)
    for (const words of [
      ['leads', '--json', 'list'],
      ['--json', 'leads', 'list'],
    ])
      expect(JSON.parse((await svc.run(words)).stdout)).toMatchObject({ data: two })
  })

  it('names the known fields for an unknown one', async () => {
    const { svc } = await listing(two)
    expect(await svc.run(['leads', 'list', '--json', 'id,nmae'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('"message":"There is no column \\"nmae\\"."') as string,
    })
  })
})
