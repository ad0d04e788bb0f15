/** How strictly a request is read: its body's size, encoding, JSON and fields, and its address. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { requestBodyBytes } from '../../src/contract/limits.js'
import { isPlain, simulate, type Simulation } from '../support/simulate.js'

const json = 'application/json'
const post = (sim: Simulation, raw: string | Buffer, type: string | null = json, more: Record<string, string> = {}) =>
  sim.live.send('POST', '/dnc', { raw, headers: { ...(type !== null && { 'content-type': type }), ...more } })

/** A body of an exact length in bytes that lists a number. */
const bodyOf = (sim: Simulation, bytes: number) => {
  const core = JSON.stringify({ phone: sim.phone() })
  return core + ' '.repeat(bytes - core.length)
}

// rule C2
describe('a body', () => {
  // The plain server passes on no answer that comes while the request is still being sent.
  it.skipIf(isPlain)('may have 1,048,576 bytes and not one more', async () => {
    const sim = await simulate()
    expect((await post(sim, bodyOf(sim, requestBodyBytes))).status).toBe(201)
    const { error } = await post(sim, bodyOf(sim, requestBodyBytes + 1))
    expect(error).toMatchObject({ code: 'invalid_request', param: null })
  })

  it('that is too large is refused also when its length is not told', async () => {
    const sim = await simulate()
    const headers = { authorization: `Bearer ${sim.live.key.secret}`, 'content-type': json }
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let n = 0; n < 17; n++) controller.enqueue(Buffer.alloc(65_536, 0x20))
        controller.close()
      },
    })
    const reply = await fetch(`${sim.baseUrl}/dnc`, { method: 'POST', headers, body, duplex: 'half' })
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({ error: { code: 'invalid_request' } })
  })

  it.each([
    ['cut off', '{"phone": "+1646'],
    ['with a comma too many', '{"phone": "+16462011000",}'],
    ['with a comment', '{/* x */"phone": "+16462011000"}'],
    ['with two values', '{"phone": "+16462011000"} {}'],
    ['with a raw line break in a string', '{"phone": "+1646\n2011000"}'],
    ['with NaN', '{"phone": NaN}'],
    ['with single quotes', "{'phone': '+16462011000'}"],
    ['with a byte order mark', '\ufeff{"phone": "+16462011000"}'],
    ['that is a list', '["+16462011000"]'],
    ['that is null', 'null'],
    ['that is a text', '"+16462011000"'],
    ['that is a number', '7'],
    ['with a key that stands twice', '{"phone": "+16462011000", "phone": "+16462011001"}'],
    ['with a key that stands twice in other spelling', '{"phone": "+16462011000", "\\u0070hone": "+16462011001"}'],
    ['with half of a character', '{"phone": "+16462011000\\ud83d"}'],
    ['with half of a character in a key', '{"phone": "+16462011000", "\\udE00": "x"}'],
    ['that is empty', ''],
    ['of blanks', '  \n'],
  ])('%s is refused', async (_what, raw) => {
    const sim = await simulate()
    const { error } = await post(sim, raw)
    expect(error).toMatchObject({ code: 'invalid_request', type: 'invalid_request_error' })
    expect(await sim.live.all('/dnc', 'cursor')).toEqual([])
  })

  it('may have a character written as two escapes, and gives it back', async () => {
    const sim = await simulate()
    const raw = `{"campaign_id": "${sim.campaignId}", "phone": "${sim.phone()}", "name": "\\ud83d\\ude00 \\\\ud83d"}`
    const { data } = await sim.live.send<{ id: string }>('POST', '/leads', { raw, headers: { 'content-type': json } })
    expect((await sim.readLead(data.id)).name).toBe('\u{1f600} \\ud83d')
  })

  it('is refused when it is not UTF-8', async () => {
    const sim = await simulate()
    const latin = Buffer.from('{"phone": "+16462011000", "x": "Zo\xeb"}', 'latin1')
    expect((await post(sim, latin)).error.message).toMatch(/UTF-8/)
  })

  it('may be nested sixty-four levels deep and not one more', async () => {
    const sim = await simulate()
    const nested = (levels: number) => `{"x":`.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
    expect((await post(sim, nested(64))).error).toMatchObject({ param: 'phone' })
    expect((await post(sim, nested(65))).error.message).toMatch(/nested/)
    expect((await post(sim, '['.repeat(500_000))).error.message).toMatch(/nested/)
  })

  it.each([
    ['no type', null],
    ['text/plain', 'text/plain'],
    ['a form', 'application/x-www-form-urlencoded'],
    ['another charset', 'application/json; charset=iso-8859-1'],
    ['what is no type', 'json'],
  ])('of %s is refused', async (_what, type) => {
    const sim = await simulate()
    expect((await post(sim, '{"phone": "+16462011000"}', type)).error.code).toBe('invalid_request')
  })

  it.each(['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'Application/JSON'])(
    'of %s is read',
    async (type) => {
      const sim = await simulate()
      expect((await post(sim, '{"phone": "+16462011000"}', type)).status).toBe(201)
    },
  )

  it('is refused in a content encoding', async () => {
    const sim = await simulate()
    const { error } = await post(sim, Buffer.from([31, 139, 8, 0]), json, { 'content-encoding': 'gzip' })
    expect(error.code).toBe('invalid_request')
  })

  it('may be left out, or be empty, where nothing in it is required', async () => {
    const sim = await simulate()
    const [one, other, third] = [await sim.lead(), await sim.lead(), await sim.lead()]
    expect((await sim.live.post(`/leads/${one.id}/opt_out`)).status).toBe(200)
    expect((await sim.live.post(`/leads/${other.id}/opt_out`, {})).status).toBe(200)
    const empty = await sim.live.send('POST', `/leads/${third.id}/opt_out`, {
      raw: '',
      headers: { 'content-type': json },
    })
    expect(empty.status).toBe(200)
  })
})

describe('a field', () => {
  it.each<[string, object]>([
    ['colour', { colour: 'red' }],
    ['consent.colour', { consent: { source: 'x', agreed_at: '2026-01-01T00:00:00Z', text: 'x', colour: 'red' } }],
    ['constructor', { constructor: 'x' }],
    ['toString', { toString: 'x' }],
    ['fields', { fields: ['a'] }],
    ['fields', { fields: null }],
    ['fields.size', { fields: { size: { deep: 'x' } } }],
    ['name', { name: 7 }],
    ['name', { name: null }],
    ['call_now', { call_now: 'true' }],
    ['dry_run', { dry_run: 1 }],
  ])('%s is named when it is not known or of another kind, case %#', async (param, words) => {
    const sim = await simulate()
    const { error } = await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: sim.phone(), ...words })
    expect(error).toMatchObject({ code: 'invalid_request', param })
  })

  it.each(['{"__proto__": {"phone": "+16462011000"}}', '{"phone": "+16462011000", "__proto__": null}'])(
    'of the prototype is no field: %s',
    async (raw) => {
      const sim = await simulate()
      expect((await post(sim, raw)).error.code).toBe('invalid_request')
      expect(({} as { phone?: string }).phone).toBeUndefined()
    },
  )

  it('of a lead may have a name that objects have, but for one', async () => {
    const sim = await simulate()
    const fields = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' }
    const { id } = await sim.lead({ fields })
    expect((await sim.readLead(id)).fields).toEqual(fields)
    const raw = `{"campaign_id":"${sim.campaignId}","phone":"${sim.phone()}","fields":{"__proto__":"x"}}`
    const { error } = await sim.live.send('POST', '/leads', { raw, headers: { 'content-type': json } })
    expect(error).toMatchObject({ code: 'invalid_request', param: 'fields.__proto__' })
  })

  it.each(['campaign_id', 'phone'])('%s is required', async (field) => {
    const sim = await simulate()
    const words: Record<string, string> = { campaign_id: sim.campaignId, phone: sim.phone() }
    delete words[field]
    expect((await sim.live.post('/leads', words)).error).toMatchObject({ code: 'invalid_request', param: field })
  })

  it('keeps every character it was sent with', async () => {
    const sim = await simulate()
    const name = 'Zoë 🎈 \u0000 "x" \\ \u2028 \ud83d\ude00'
    const { id } = await sim.lead({ name, fields: { '': 'empty name', ключ: '値' } })
    expect(await sim.readLead(id)).toMatchObject({ name, fields: { '': 'empty name', ключ: '値' } })
  })
})

// rule C1
describe('an address', () => {
  it.each(['/leads/not-a-uuid', '/calls/0', `/leads/${'x'.repeat(300)}`, '/campaigns/%20', '/webhook_endpoints/null'])(
    '%s names nothing',
    async (path) => {
      const sim = await simulate()
      expect((await sim.live.get(path)).error.code).toBe('not_found')
    },
  )

  it.each<['GET' | 'POST' | 'PUT' | 'DELETE', string]>([
    ['GET', '/nothing'],
    ['GET', '/leads/'],
    ['PUT', '/leads'],
    ['DELETE', '/leads'],
    ['POST', '/usage'],
    ['GET', '/Leads'],
  ])('%s %s is not served', async (method, path) => {
    const sim = await simulate()
    expect((await sim.live.send(method, path)).error.code).toBe('not_found')
  })

  it('that cannot be read is refused in the same shape', async () => {
    const sim = await simulate()
    const reply = await sim.live.get('/leads/%zz')
    expect(reply.error).toMatchObject({ code: 'invalid_request', request_id: reply.requestId })
  })

  it('may have its id in capital letters', async () => {
    const sim = await simulate()
    const { id } = await sim.lead()
    expect((await sim.live.get<{ id: string }>(`/leads/${id.toUpperCase()}`)).data.id).toBe(id)
  })

  it.each([
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=ten'],
    ['limit', 'limit=1.5'],
    ['limit', 'limit='],
    ['limit', 'limit=1&limit=2'],
    ['status', 'status=asleep'],
    ['campaign_id', 'campaign_id=7'],
    ['starting_after', 'starting_after=x'],
    ['created[gte]', 'created[gte]=yesterday'],
    ['created[gte]', 'created[gte]=2026-10-01T00:00:00'],
    ['external_id', `external_id=${'x'.repeat(201)}`],
  ])('with a wrong %s in its query is refused: %s', async (param, query) => {
    const sim = await simulate()
    expect((await sim.live.get(`/leads?${query}`)).error).toMatchObject({ code: 'invalid_request', param })
  })

  // rule C8
  it('may have query parameters that nobody knows', async () => {
    const sim = await simulate()
    expect((await sim.live.get('/leads?colour=red')).status).toBe(200)
  })
})

it('the API shows no number, address or secret that was sent in a path or as the name of a field', async () => {
  const sim = await simulate()
  const { secret } = sim.live.key
  const lost = await sim.live.get(`/%2B15551234567/a%40b.example/${secret}/${secret.replace('_', '%5F')}`)
  expect(lost.error.message).toBe(
    'There is no GET /api/v1/external/+*******4567/a***@b.example/cs_live_***/cs_live_***.',
  )
  const { error } = await sim.live.post('/dnc', { [secret]: 1, phone: sim.phone() })
  expect(error).toMatchObject({ message: 'cs_live_***: there is no such field.', param: 'cs_live_***' })
})

describe('a request of odd headers', () => {
  /** The status and the error of what is written word by word. */
  async function answered(sim: Simulation, lines: string[]): Promise<[number, { code: string; request_id: string }]> {
    const { hostname, port } = new URL(sim.url)
    const socket = connect(Number(port), hostname)
    socket.end(['GET /api/v1/external/leads HTTP/1.1', ...lines, 'Connection: close', '', ''].join('\r\n'))
    const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
    return [Number(head.split(' ')[1]), (JSON.parse(body) as { error: { code: string; request_id: string } }).error]
  }
  const refused = { code: 'invalid_request', request_id: expect.stringMatching(/^req_\w+$/) as string }

  it.each([
    ['no Host', []],
    ['so many of them that the Host is lost', Array.from({ length: 2_001 }, () => 'X: 1').concat('Host: localhost')],
    ['a Transfer-Encoding that nobody can undo', ['Host: localhost', 'Transfer-Encoding: gzip, chunked']],
  ])('is refused in the usual shape with %s', async (_what, lines) => {
    const sim = await simulate()
    expect(await answered(sim, lines)).toEqual([400, expect.objectContaining(refused)])
  })

  it('is served as if it had no expectation that nobody knows', async () => {
    const sim = await simulate()
    const [status, error] = await answered(sim, ['Host: localhost', 'Expect: miracles'])
    expect([status, error.code]).toEqual([401, 'authentication_failed'])
  })
})

it('the API answers what was asked first on a connection before it refuses what cannot be read', async () => {
  const sim = await simulate()
  const { hostname, port } = new URL(sim.url)
  const body = JSON.stringify({ phone: sim.phone() })
  const socket = connect(Number(port), hostname)
  const head = ['POST /api/v1/external/dnc HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${sim.live.key.secret}`]
  const length = `Content-Length: ${body.length}`
  socket.write([...head, `Content-Type: ${json}`, length, '', `${body}hello`, '', ''].join('\r\n'))
  expect((await text(socket)).match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 400'])
})

it('the API answers what is no HTTP with an error of the same shape, and hangs up', async () => {
  const sim = await simulate()
  const { hostname, port } = new URL(sim.url)
  const text = await new Promise<string>((resolve, reject) => {
    let got = ''
    const socket = connect(Number(port), hostname, () => socket.write('hello\r\n\r\n'))
    socket
      .on('data', (bytes) => (got += bytes.toString()))
      .on('end', () => resolve(got))
      .on('error', reject)
  })
  const [head = '', body = ''] = text.split('\r\n\r\n')
  const id = /^Request-Id: (req_\w+)$/m.exec(head)?.[1]
  expect(JSON.parse(body)).toMatchObject({ error: { code: 'invalid_request', request_id: id } })
})
