/** Standard output, standard error, standard input, and pipes that close. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/simulate.js'
import { json, stubServer, type Answering } from '../../support/servers/stub-server.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { Svc } from '../../support/programs/svc.js'

const svc = new Svc()

/** The program with a key for a server that answers so. */
async function facing(answer: Answering) {
  const { baseUrl, asked } = await stubServer(answer)
  return { env: { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }, asked }
}

const lead = (n: number) => ({
  id: `lead-${n}`,
  name: `Lead ${n}`,
  phone: '+12125557812',
  status: 'queued',
  created: '2026-10-01T15:00:00.000Z',
  livemode: false,
})

/** Three pages of two. */
const threePages: Answering = ({ path }, response) => {
  const after = new URL(path, 'http://x').searchParams.get('starting_after')
  const first = after === null ? 0 : Number(after.replace('lead-', '')) + 1
  const has_more = first < 4
  json(response, 200, {
    data: [lead(first), lead(first + 1)],
    meta: { next_cursor: has_more ? `lead-${first + 1}` : null, has_more },
  })
}

describe('a result in a pipe', () => {
  it('is TSV that begins with the names of the fields, values whole and times as they came', async () => {
    const simulation = await simulate()
    const { id } = await simulation.lead({ name: 'Ada\tLovelace', fields: { city: 'Albany' } })
    const env = { SVC_BASE_URL: simulation.baseUrl, SVC_SECRET: simulation.live.key.secret }
    const { stdout, stderr, code } = await svc.run(['leads', 'list'], { env })
    expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
    const [names = [], values = [], ...rest] = stdout.split('\n').map((line) => line.split('\t'))
    expect(rest).toEqual([['']])
    const shown = Object.fromEntries(names.map((name, at) => [name, values[at]]))
    expect(shown).toMatchObject({
      id,
      name: String.raw`Ada\tLovelace`,
      status: 'dialing',
      created: simulation.now,
      'fields.city': 'Albany',
    })
  })

  it('has the columns that were asked for, and no line of names with --no-header', async () => {
    const { env } = await facing(threePages)
    const { stdout } = await svc.run(['leads', 'list', '--columns', 'phone,id', '--no-header', '-o', 'csv'], { env })
    expect(stdout).toBe('+12125557812,lead-0\n+12125557812,lead-1\n')
  })

  it('is refused with the columns there are when one is unknown', async () => {
    const { env } = await facing(threePages)
    const { code, stdout, stderr } = await svc.run(['leads', 'list', '--columns', 'id,fone'], { env })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^Error: There is no column "fone"\.\n {2}The columns are: id, external_id, .*phone/)
  })

  it('is the reply as it came with --json, fields nobody knows yet included', async () => {
    const body = {
      data: [{ ...lead(0), newcomer: { deep: [1, null, 'ü\u0007'] } }],
      meta: { next_cursor: null, has_more: false, more: 1 },
      extra: true,
    }
    const { env } = await facing((_asked, response) => json(response, 200, body))
    for (const flags of [['--json'], ['-o', 'json'], ['--output=json']]) {
      const { stdout, stderr } = await svc.run(['leads', 'list', ...flags], { env })
      expect(JSON.parse(stdout)).toEqual(body)
      expect(stderr).toBe('')
    }
    expect(JSON.parse((await svc.run(['leads', 'list', '-o', 'ndjson'], { env })).stdout)).toEqual(body.data[0])
  })

  it('is not mixed with what --verbose says', async () => {
    const { env } = await facing(threePages)
    const plain = await svc.run(['leads', 'list', '--json'], { env })
    const verbose = await svc.run(['leads', 'list', '--json', '--verbose'], { env })
    expect(verbose.stdout).toBe(plain.stdout)
    expect(verbose.stderr).toMatch(
      /^> GET http:\/\/.*\/leads\n(> .*\n)*> Authorization: \*\*\*\*\n(.*\n)*< 200 in \d+ ms\n/,
    )
  })
})

describe('a list', () => {
  it('that was cut says so, with a command for the rest that works when it is pasted', async () => {
    const campaign = '8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11'
    const { env, asked } = await facing(threePages)
    const first = await svc.run(['leads', 'list', '--columns', 'id', '--campaign', campaign], { env })
    expect(first.stdout).toBe('id\nlead-0\nlead-1\n')
    const [, command = ''] =
      /^There are more leads; --all lists them all\. The next:\n {2}(.*)\n$/.exec(first.stderr) ?? []
    const second = await svc.shell(command, { env })
    expect(second).toMatchObject({ code: 0, stdout: 'id\nlead-2\nlead-3\n' })
    const third = await svc.shell(/The next:\n {2}(.*)\n/.exec(second.stderr)?.[1] ?? 'false', { env })
    expect(third).toEqual({ code: 0, signal: null, stdout: 'id\nlead-4\nlead-5\n', stderr: '' })
    expect(asked.map(({ path }) => new URL(path, 'http://x').searchParams.get('campaign_id'))).toEqual(
      Array(3).fill(campaign),
    )
  })

  it('that was cut by a typed --limit says nothing', async () => {
    const { env } = await facing(threePages)
    for (const limit of [['--limit', '2'], ['--limit=2']])
      expect(await svc.run(['leads', 'list', ...limit], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  it('that was searched is not called empty because its last page is', async () => {
    const { env } = await facing(threePages)
    const words = ['leads', 'list', '--search', 'Lead 1', '--all', '--columns', 'id']
    expect(await svc.run(words, { env })).toMatchObject({ code: 0, stdout: 'id\nlead-1\n', stderr: '' })
  })

  it('is followed to its end with --all, in every format', async () => {
    const { env } = await facing(threePages)
    const all = async (format: string) =>
      (await svc.run(['leads', 'list', '--all', '--columns', 'id', '-o', format], { env })).stdout
    const ids = [0, 1, 2, 3, 4, 5].map((n) => `lead-${n}`)
    expect((await all('tsv')).split('\n')).toEqual(['id', ...ids, ''])
    expect((await all('csv')).split('\n')).toEqual(['id', ...ids, ''])
    expect(
      (await all('ndjson'))
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: string }).id),
    ).toEqual(ids)
    const document = JSON.parse(await all('json')) as { data: { id: string }[]; meta: unknown }
    expect(document.data.map(({ id }) => id)).toEqual(ids)
    expect(document.meta).toEqual({ next_cursor: null, has_more: false })
  })

  it.runIf(existsSync('/dev/full'))('is not lost without a word where the disk takes no more', async () => {
    const { env } = await facing(threePages)
    expect(await svc.shell('svc leads list > /dev/full', { env })).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'Error: The result cannot be written: the disk is full.\n',
    })
  })

  it('without an end stops quietly when nobody reads on', async () => {
    const page = Array.from({ length: 100 }, (_, n) => lead(n))
    const { env } = await facing((_asked, response, turn) =>
      json(response, 200, { data: page, meta: { next_cursor: `c${turn}`, has_more: true } }),
    )
    const ran = await svc.shell('svc leads list --all | head -1; echo "ended with $PIPESTATUS"', { env })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toMatch(/^id\t.*\nended with 0\n$/)
  })
})

describe('a pipe that its reader has closed', () => {
  const closed = 'exec 3> >(true); wait $!;'
  const rows = async () => {
    const at = await SvcAt.start()
    const file = `printf 'phone,other\\n${at.simulation.phone()},x\\n12,y\\n'`
    return { at, line: `${closed} ${file} | (svc leads import - --campaign "$CAMPAIGN" --json` }
  }

  it.each([
    'svc leads list --no-color',
    'svc leads list -o json',
    'svc leads list --help',
    'svc --help',
    'svc --version',
    'svc complete bash -- leads',
    'svc autocomplete bash',
  ])('ends "%s" quietly', async (line) => {
    const { env } = await facing((_asked, response) => json(response, 200, { data: [lead(1)] }))
    expect(await svc.shell(`${closed} (${line} >&3); echo "ended with $?"`, { env })).toMatchObject({
      stdout: 'ended with 0\n',
      stderr: '',
    })
  })

  it('does not hide that rows of an import were refused', async () => {
    const { at, line } = await rows()
    const env = { ...at.env, CAMPAIGN: at.simulation.campaignId }
    expect((await at.svc.shell(`${line} >&3); echo "ended with $?"`, { env })).stdout).toBe('ended with 6\n')
  })

  it('does not stop an import of which only the messages went there', async () => {
    const { at, line } = await rows()
    const env = { ...at.env, CAMPAIGN: at.simulation.campaignId }
    const { stdout } = await at.svc.shell(`${line} 2>&3); echo "ended with $?"`, { env })
    expect(stdout).toMatch(/^\{[^]*"added": 1,[^]*"refused": 1,[^]*\}\nended with 6\n$/)
    expect(await at.data('leads', 'list')).toHaveLength(1)
  })
})

describe('standard input', () => {
  const secret = 'whsec_abcdefghijklmnopqrstuvwxyz'

  it('is read to its end, however late and slowly it comes', async () => {
    const late = svc.start(['webhooks', 'sign', '--secret', secret, '--body', '-'])
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    late.process.stdin.write('{"a":')
    await new Promise((resolve) => setTimeout(resolve, 200))
    late.process.stdin.end('1}')
    const { code, stdout } = await late.end()
    expect(code).toBe(0)
    const verify = ['webhooks', 'verify', '--secret', secret, '--signature', stdout.trim(), '--body', '-']
    expect(await svc.run(verify, { stdin: '{"a":1}' })).toMatchObject({ code: 0 })
  })

  it('is left alone by a command that was not told to read it', async () => {
    const { env, asked } = await facing((_asked, response) => json(response, 200, { data: lead(1) }))
    const ran = await svc.shell(
      'printf \'one\\ntwo\\n\' | while read -r id; do ( svc calls get "$id" ) > /dev/null; done',
      { env },
    )
    expect(ran).toMatchObject({ code: 0 })
    expect(asked.map(({ path }) => path)).toEqual(['/calls/one', '/calls/two'])
  })
})

describe('an interruption', () => {
  it('ends a command that waits for an answer at once, with 130', async () => {
    const { env, asked } = await facing(() => undefined)
    const waiting = svc.start(['leads', 'list'], env)
    while (asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    expect(await waiting.kill('SIGINT')).toMatchObject({ code: 130, stdout: '' })
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s stops the simulator cleanly, with %i, even while a client holds a connection',
    async (signal, code) => {
      const simulator = svc.start(['simulate', '--port', '0', '--data', ':memory:', '--json'])
      const { ready, url } = JSON.parse(await simulator.line()) as { ready: boolean; url: string }
      expect(ready).toBe(true)
      const stream = await fetch(`${url}/_sim/clock`)
      expect(await simulator.kill(signal)).toMatchObject({ code, stderr: '\nStopping.\n' })
      await stream.body?.cancel().catch(() => undefined)
    },
  )

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends events tail with %i', async (signal, code) => {
    const events = { data: [{ id: 'evt_1', type: 'lead.created', created: '2026-10-01T00:00:00Z', data: {} }] }
    const { env } = await facing((_asked, response) => json(response, 200, events))
    const tail = svc.start(['events', 'tail', '--all', '--output', 'csv'], env)
    await tail.line()
    const { stderr, ...ended } = await tail.kill(signal)
    expect(ended).toMatchObject({ code })
    expect(stderr).toMatch(/^Waiting for events\.\nStopped after /)
  })

  it('is not needed to be told that a port is taken, or an address elsewhere', async () => {
    const first = svc.start(['simulate', '--port', '0', '--data', ':memory:', '--json'])
    const { url } = JSON.parse(await first.line()) as { url: string }
    const { port } = new URL(url)
    const second = await svc.run(['simulate', '--port', port, '--data', ':memory:'])
    expect(second).toMatchObject({ code: 1, stdout: '' })
    expect(second.stderr).toContain(`Port ${port} is taken`)
    const elsewhere = await svc.run(['simulate', '--port', '0', '--data', ':memory:', '--host', 'nowhere.invalid'])
    expect(elsewhere).toMatchObject({ code: 1, stdout: '' })
    expect(elsewhere.stderr).toMatch(/^Error: nowhere\.invalid is not an address of this machine\. Use 127/)
    first.process.kill('SIGTERM')
    await once(first.process, 'close')
  })
})
