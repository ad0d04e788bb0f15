/** Results of the rows of a file: added, requeued or refused with a reason, and the file of refused rows. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ImportAt, numberOf } from '../../support/programs/import-at.js'
import { json, refuse, stubServer } from '../../support/servers/stub-server.js'
import { Svc } from '../../support/programs/svc.js'

/** A file with a row that is refused in each way, and two that are not: the second is there already. */
async function mixed(): Promise<{ at: ImportAt; file: string; there: string }> {
  const at = await ImportAt.start()
  const { simulation } = at
  const { id: there } = await simulation.lead({ phone: numberOf(1) })
  await at.at.client.post('/dnc', { phone: numberOf(2) })
  const file = at.file(
    'people.csv',
    [
      'Name;Phone;Notes',
      `Added;${numberOf(0)};`,
      `There;${numberOf(1)};`,
      `"Listed";${numberOf(2)};"says ""no"""`,
      `"No\nnumber";12;=HYPERLINK("http://x.test")`,
      `Too long;${'9'.repeat(40)};+1+1`,
      `Short`,
      `Premium;+19002345678;-`,
      `Twice;${numberOf(0)};`,
      `Last;${numberOf(4)};`,
      '',
    ].join('\r\n'),
  )
  return { at, file, there }
}

const byCode = {
  duplicate_lead: 2,
  on_dnc_list: 1,
  invalid_phone: 1,
  invalid_request: 1,
  short_row: 1,
  number_not_allowed: 1,
}

describe('the result', () => {
  it('counts what was added, requeued and refused by code; 6 when any was refused', async () => {
    const { at, file } = await mixed()
    const ran = await at.run(file, ['--json'])
    expect(ran.code).toBe(6)
    expect(JSON.parse(ran.stdout)).toEqual({
      added: 2,
      requeued: 0,
      refused: 7,
      already_added: 0,
      would_add: 0,
      by_code: byCode,
      failed_file: 'people.failed.csv',
    })
    expect((await at.taken()).map(({ name }) => name)).toEqual([null, 'Added', 'Last'])
  })

  it('is fields in a pipe, with what to do about the refused rows beside it', async () => {
    const { at, file } = await mixed()
    const ran = await at.run(file)
    const codes = Object.keys(byCode).map((code) => `by_code.${code}`)
    const names = ['added', 'requeued', 'refused', 'already_added', 'would_add', ...codes, 'failed_file']
    const values = [2, 0, 7, 0, 0, ...Object.values(byCode), 'people.failed.csv']
    expect(ran.stdout).toBe(`${names.join('\t')}\n${values.join('\t')}\n`)
    expect(ran.stderr).toContain(
      'The refused rows are in people.failed.csv: correct 4 of them there and import that file. There is nothing to correct in the other 3.\n',
    )
  })

  it('is 0 and no file where nothing was refused; a lead past its window is requeued', async () => {
    const at = await ImportAt.start({}, 'test')
    await at.simulation.changeCampaign({ duplicate_window_days: 0 })
    await at.simulation.lead({ phone: '+15550100002' }, at.at.client)
    await at.simulation.advance('1h')
    const ran = await at.run(at.file('people.csv', `phone\n+15550100002\n${numberOf(0)}\n`), ['--json'])
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 1, requeued: 1, refused: 0, by_code: {}, failed_file: null })
    expect(at.has('people.failed.csv')).toBe(false)
  })
})

describe('the file of refused rows', () => {
  it('has the original columns, and the physical line, code and message of each, in order', async () => {
    const { at, file } = await mixed()
    await at.run(file)
    const rows = at.refused()
    expect(Object.keys(rows[0] ?? {})).toEqual(['Name', 'Phone', 'Notes', '_line', '_code', '_message'])
    expect(rows.map(({ Name, _line, _code }) => [_line, _code, Name])).toEqual([
      ['3', 'duplicate_lead', 'There'],
      ['4', 'on_dnc_list', 'Listed'],
      ['5', 'invalid_phone', 'No\nnumber'],
      ['7', 'invalid_request', 'Too long'],
      ['8', 'short_row', 'Short'],
      ['9', 'number_not_allowed', 'Premium'],
      ['10', 'duplicate_lead', 'Twice'],
    ])
    expect(rows.every(({ _message }) => _message !== '')).toBe(true)
    expect(rows[1]).toMatchObject({ Phone: numberOf(2), Notes: 'says "no"' })
    expect(rows[3]?._message).toMatch(/^phone: /)
  })

  it('holds nothing that a spreadsheet would run, and is imported as it was meant', async () => {
    const { at, file } = await mixed()
    await at.run(file)
    const rows = at.refused()
    expect(rows.map(({ Notes }) => Notes)).toEqual([
      '',
      'says "no"',
      `'=HYPERLINK("http://x.test")`,
      "'+1+1",
      '',
      '-',
      '',
    ])
    const text = readFileSync(at.path('people.failed.csv'), 'utf8')
    const mended = at.file(
      'mended.csv',
      text.replace(';12;', `;${numberOf(7)};`).replace(/^Too long;\d+/m, `Too long;${numberOf(8)}`),
    )
    const again = await at.imported(mended, ['--fields-from-rest'])
    expect(again).toMatchObject({ added: 2, refused: 5 })
    expect((await at.taken()).slice(-2)).toMatchObject([
      { name: 'No\nnumber', fields: { Notes: '=HYPERLINK("http://x.test")' } },
      { name: 'Too long', fields: { Notes: '+1+1' } },
    ])
    // The columns of the first import are not taken for columns of the file.
    expect(Object.keys(at.refused('mended.failed.csv')[0] ?? {})).toEqual([
      ...['Name', 'Phone', 'Notes'],
      ...['_line', '_code', '_message'],
    ])
  })

  it('is where --failed-file says, and never takes the place of another file', async () => {
    const { at, file } = await mixed()
    expect(await at.imported(file, ['--failed-file', 'bad.csv'])).toMatchObject({ failed_file: 'bad.csv' })
    expect(at.has('bad.csv')).toBe(true)
    expect(at.has('people.failed.csv')).toBe(false)
    at.file('dear.csv', 'my,own\n1,2\n')
    for (const [name, says] of [
      ['dear.csv', 'exists and is not a file of refused rows'],
      [file, 'is the imported file'],
      ['nowhere/bad.csv', 'there is no such folder'],
    ] as const) {
      const ran = await at.run(file, ['--failed-file', name])
      expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
    }
    expect(readFileSync(at.path('dear.csv'), 'utf8')).toBe('my,own\n1,2\n')
  })

  it('that somebody has mended in place is put aside', async () => {
    const { at, file } = await mixed()
    await at.run(file)
    expect(await at.run(file)).toMatchObject({ code: 6 })
    expect(at.has('people.failed.csv.bak')).toBe(false)
    const mended = readFileSync(at.path('people.failed.csv'), 'utf8').replace(';12;', `;${numberOf(7)};`)
    at.file('people.failed.csv', mended)
    const ran = await at.run(file)
    expect(ran.stderr).toMatch(/The refused rows of an earlier run are kept in .*people\.failed\.csv\.bak\./)
    expect(readFileSync(at.path('people.failed.csv.bak'), 'utf8')).toBe(mended)
    const mendedAgain = mended.replace(numberOf(7), numberOf(8))
    at.file('people.failed.csv', mendedAgain)
    expect((await at.run(file)).stderr).toMatch(/kept in .*failed\.csv\.bak and .*failed\.csv\.bak2\./)
    const kept = ['bak', 'bak2'].map((name) => readFileSync(at.path(`people.failed.csv.${name}`), 'utf8'))
    expect(kept).toEqual([mended, mendedAgain])
  })
})

describe('batches', () => {
  it('hold sixty at most, each row once, with a key of their own that is made of what they hold', async () => {
    const at = await ImportAt.start()
    expect(await at.imported(at.leads(2000))).toMatchObject({ added: 2000 })
    const sizes = (await at.batches()).map(({ sent }) => sent.leads.length)
    // The least number of requests.
    expect(sizes).toEqual([...Array<number>(33).fill(60), 20])
    expect((await at.taken()).map(({ phone }) => phone)).toEqual(Array.from({ length: 2000 }, (_, n) => numberOf(n)))
  })

  it('lose a malformed row and no other, wherever it stands, and are filled up again', async () => {
    const at = await ImportAt.start()
    const isBad = (n: number) => [0, 7, 59, 60, 61, 129].includes(n)
    const rows = Array.from({ length: 130 }, (_, n) => (isBad(n) ? `${n},${'9'.repeat(40)}` : `${n},${numberOf(n)}`))
    const file = at.file('people.csv', `name,phone\n${rows.join('\n')}\n`)
    expect(await at.imported(file)).toMatchObject({
      added: 124,
      refused: 6,
      by_code: { invalid_request: 6 },
    })
    expect(at.refused().map(({ _line }) => Number(_line) - 2)).toEqual([0, 7, 59, 60, 61, 129])
    const taken = (await at.batches()).filter(({ status }) => status === 200)
    expect(taken.map(({ sent }) => sent.leads.length)).toEqual([60, 60, 4])
  })

  it('hold fewer rows if those are large, so that a request is below its limit', async () => {
    const at = await ImportAt.start()
    const rows = Array.from({ length: 30 }, (_, n) => `${numberOf(n)},${'x'.repeat(60_000)}`)
    const file = at.file('people.csv', `phone,story\n${rows.join('\n')}\n`)
    expect(await at.imported(file, ['--fields-from-rest'])).toMatchObject({ added: 30 })
    // As few as carry 1.8 MB.
    expect(await at.batches()).toHaveLength(2)
  })
})

describe('a dry run', () => {
  it('asks for every row and saves nothing; neither the allowance nor an earlier answer counts for it', async () => {
    const at = await ImportAt.start({ limits: true })
    const file = at.leads(130)
    const dry = () => at.imported(file, ['--dry-run'])
    expect(await dry()).toMatchObject({ added: 0, would_add: 130, refused: 0, by_code: {}, failed_file: null })
    await at.at.client.post('/dnc', { phone: numberOf(100) })
    expect(await dry()).toMatchObject({ would_add: 129, by_code: { on_dnc_list: 1 } })
    expect(await at.taken()).toEqual([])
    const batches = await at.batches()
    expect(batches.map(({ status, sent }) => [status, sent.dry_run, sent.leads.length])).toEqual(
      [60, 60, 10, 60, 60, 10].map((size) => [200, true, size]),
    )
  })
})

describe('the allowance of new leads', () => {
  it('is learned from one refusal, and said; what was sent is counted, and --resume continues', async () => {
    const at = await ImportAt.start({ limits: true })
    const ran = await at.run(at.leads(70), ['--max-wait', '1s'])
    expect(ran).toMatchObject({ code: 7, stdout: expect.stringContaining('\n60\t0\t0\t') as string })
    expect(ran.stderr).toContain(
      `Stopped after 60 of 70 rows. Go on with: svc leads import people.csv --campaign ${at.simulation.campaignId} --max-wait 1s --resume\n`,
    )
    expect(ran.stderr).toContain('code: lead_rate_limited')
    const refused = (await at.batches()).filter(({ status }) => status !== 200)
    expect(refused.map(({ status }) => status)).toEqual([429])
  })

  it('is kept to without a refusal where --rate says it', async () => {
    const at = await ImportAt.start({ limits: true })
    const ran = await at.run(at.leads(70), ['--rate', '60', '--max-wait', '1s', '--json'])
    expect(ran).toMatchObject({ code: 7, stdout: expect.stringContaining('"added": 60') as string })
    expect(JSON.parse(ran.stderr)).toMatchObject({
      error: { code: 'rate_limited', hint: expect.stringContaining('--resume') as string },
      exit_code: 7,
    })
    expect((await at.batches()).map(({ status, sent }) => [status, sent.leads.length])).toEqual([[200, 60]])
  })
})

describe('an import that the service stops', () => {
  it('for a campaign that is not there has sent one batch, and refused no row', async () => {
    const at = await ImportAt.start()
    const words = ['leads', 'import', at.leads(300), '--campaign', '00000000-0000-4000-8000-000000000000']
    expect(await at.at.run(words)).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringContaining('code: not_found') as string,
    })
    expect(await at.batches()).toHaveLength(1)
    expect(at.has('people.failed.csv')).toBe(false)
  })

  it('for a queue that is full goes on with --resume, and no row was lost', async () => {
    let room = 60
    const { env, batches } = await answering((phones) => {
      const isFull = room < phones.length
      if (!isFull) room -= phones.length
      return isFull ? 'queue_full' : 'ok'
    })
    const at = new Svc()
    const stdin = linesOf(70)
    const full = await at.run([...words, '--max-wait', '0', '--json'], { env, stdin })
    expect(full.code).toBe(7)
    expect(JSON.parse(full.stdout)).toMatchObject({ added: 60, refused: 0, failed_file: null })
    expect(JSON.parse(full.stderr)).toMatchObject({ error: { code: 'queue_full' }, exit_code: 7 })
    const refused = batches.at(-1)
    room = 100
    const { stdout } = await at.run([...words, '--resume', '--json'], { env, stdin })
    expect(JSON.parse(stdout)).toMatchObject({ added: 70, refused: 0 })
    const again = batches[batches.indexOf(refused as SentThere) + 1]
    expect(again?.phones).toEqual(refused?.phones)
    // The kept answer to the first would be that the queue is full, all day long.
    expect(again?.key).not.toBe(refused?.key)
  })

  it('for an answer that is not whole sends nothing more', async () => {
    const { env, batches } = await answering(
      () => 'ok',
      (results) => results.slice(1),
    )
    const { code, stderr } = await new Svc().run([...words, '--rate', '60'], { env, stdin: linesOf(90) })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Error: The service gave 59 results for 60 rows, so it is unknown which rows were added.\n',
    })
    expect(batches).toHaveLength(1)
  })

  it('says what was done before the error, and keeps both apart for a program', async () => {
    const { env } = await answering((_phones, turn) => (turn > 0 ? 'permission_denied' : 'ok'))
    const { code, stdout, stderr } = await new Svc().run([...words, '--json'], { env, stdin: linesOf(70) })
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({ added: 60 })
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'permission_denied' }, exit_code: 4 })
  })
})

const words = ['leads', 'import', '-', '--campaign', '8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11']
const linesOf = (count: number) => Array.from({ length: count }, (_, n) => `{"phone":"${numberOf(n)}"}\n`).join('')

interface SentThere {
  key: string
  phones: string[]
}

/** A service that answers batches with `ok`, refuses every lead of it with a code, or the whole request. */
async function answering(
  answer: (phones: string[], turn: number) => 'ok' | 'queue_full' | 'permission_denied',
  changed: (results: object[]) => object[] = (results) => results,
) {
  const batches: SentThere[] = []
  const { baseUrl } = await stubServer(({ body, headers }, response, turn) => {
    const { leads } = JSON.parse(body) as { leads: { phone: string }[] }
    const phones = leads.map(({ phone }) => phone)
    batches.push({ key: String(headers['idempotency-key']), phones })
    const code = answer(phones, turn)
    if (code === 'permission_denied') return refuse(response, 403, code)
    const error = { code, message: `refused: ${code}`, param: null }
    const results = leads.map((_lead, index) => ({
      index,
      ...(code === 'ok' ? { ok: true, lead: {} } : { ok: false, error }),
    }))
    const data = { succeeded: 0, failed: 0, dry_run: false, results: changed(results), livemode: true }
    json(response, 200, { data })
  })
  return { env: { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_live_a' }, batches }
}

describe('without what it needs', () => {
  it('names all of it in one error', async () => {
    const at = await ImportAt.start()
    expect(await at.at.run(['leads', 'import'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing: <file>, --campaign.') as string,
    })
    expect(await new Svc().run(['leads', 'import', 'people.csv', '--campaign', 'c'])).toMatchObject({ code: 4 })
  })

  it.each([
    [['--rate', '0'], '--rate'],
    [['--max-wait', 'soon'], '--max-wait'],
    [['--dry-run', '--resume'], '--resume'],
  ])('%j is refused', async (flags, says) => {
    const at = await ImportAt.start()
    expect(await at.run(at.leads(1), flags)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(says) as string,
    })
  })
})
