/** The signature of webhooks: what is signed, who else can check it, and what is said of one that does not fit. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { deliveryHeaders } from '../../src/webhooks/headers.js'
import { sign, verify, type Verification } from '../../src/webhooks/sign.js'
import { anyText } from '../support/any-text.js'

const secret = 'whsec_0Jq4xWkD3yPv8ZtR'
const older = 'whsec_Ys6mB1cNf7uHaE92'
const at = 1_790_000_000
const text = JSON.stringify({ id: 'evt_1', type: 'lead.created', data: { object: { name: 'Zoë ☎ \u2028 <b>' } } })
const body = Buffer.from(text)

/** Written from the rule alone: the time, a dot, the bytes, keyed with the secret's whole text. */
const byHand = (key: string, bytes: Uint8Array = body) =>
  createHmac('sha256', Buffer.from(key, 'utf8'))
    .update(Buffer.concat([Buffer.from(`${at}.`), bytes]))
    .digest('hex')

const check = (changes: Partial<Verification> = {}) =>
  verify({ body, header: sign({ body, secrets: [secret], at }), secrets: [secret], now: at, explain: true, ...changes })

const anyBytes = fc.uint8Array({ maxLength: 300 })
const anySecret = fc.string({ maxLength: 40 }).map((end) => `whsec_0123456789${end}`)
const anySeconds = fc.integer({ min: 0, max: 4_000_000_000 })

/** Worked out once and for all, with another program than this one. */
const golden = [
  [
    '{"id":"evt_1"}',
    1700000000,
    ['whsec_test_0123456789'],
    't=1700000000,v1=96a6e4147d41eb58c1480c33f2e6c77496783ed0b5e00ff73e862fbca407ecc6',
  ],
  ['{}', 1, ['whsec_two words 0123456789'], 't=1,v1=00e286e94f5fa27943ded039b993035b052bfdd4e309022bfeb196a8a4439a61'],
  [
    '{"name":"Zoë ☎ 😀"}',
    1790000000,
    ['whsec_0Jq4xWkD3yPv8ZtR', 'whsec_Ys6mB1cNf7uHaE92'],
    't=1790000000,v1=9fff880aa0e30d59a2d104e3a2c045aee7bfecfdeb3748239a865847a225d6ab,v1=1124b4c724957efc4e057e4e59bb16916600d2cbcdbb03f02836fbd5fa23e65c',
  ],
  [
    '{ "a" : 1 }\n',
    4102444800,
    ['whsec_é_0123456789'],
    't=4102444800,v1=a67cc7fb0f1b73cd0bfeccc83cacb425dd021097377aebc452a4a666654874fd',
  ],
] as const

// rule W3
describe('signing', () => {
  it.each(golden)(
    'of %j at %d with %j gives what was worked out, which a verifier of another house accepts',
    (...row) => {
      const [payload, time, secrets, header] = row
      expect(sign({ body: Buffer.from(payload), secrets, at: time })).toBe(header)
      for (const key of secrets) {
        expect(Stripe.webhooks.signature?.verifyHeader(payload, header, key, 300, undefined, time * 1_000)).toBe(true)
        expect(verify({ body: Buffer.from(payload), header, secrets: [key], now: time })).toEqual({
          ok: true,
          at: time,
        })
      }
    },
  )

  it('is the HMAC of the time, a dot and the raw bytes', () => {
    expect(sign({ body, secrets: [secret], at })).toBe(`t=${at},v1=${byHand(secret)}`)
  })

  it('gives one v1 for each secret, in their order', () => {
    expect(sign({ body, secrets: [secret, older], at })).toBe(`t=${at},v1=${byHand(secret)},v1=${byHand(older)}`)
  })

  it('takes bytes that are no text as they are', () => {
    const bytes = Buffer.from([0xff, 0x00, 0xfe, 0x0a])
    expect(sign({ body: bytes, secrets: [secret], at })).toBe(`t=${at},v1=${byHand(secret, bytes)}`)
  })

  it('refuses to sign with nothing, or at no whole second', () => {
    expect(() => sign({ body, secrets: [], at })).toThrow('at least one secret')
    for (const short of ['', 'whsec_', 'whsec_12345678', ' '.repeat(40)])
      expect(() => sign({ body, secrets: [secret, short], at })).toThrow(expect.objectContaining({ code: 'no_secret' }))
    expect(() => sign({ body, secrets: [secret], at: 1.5 })).toThrow('whole unix seconds')
  })

  it('makes headers that a verifier of another house accepts', () => {
    fc.assert(
      fc.property(fc.json(), anySecret, anySecret, anySeconds, (json, one, two, time) => {
        const payload = json.startsWith('{') ? json : JSON.stringify({ json })
        const header = sign({ body: Buffer.from(payload), secrets: [one, two], at: time })
        expect(header).toMatch(/^t=\d+(,v1=[0-9a-f]{64}){2}$/)
        for (const key of [one, two]) {
          const event = Stripe.webhooks.constructEvent(payload, header, key, 300, undefined, time * 1000)
          expect(event).toEqual(JSON.parse(payload))
        }
      }),
    )
  })
})

// rule W5
describe('verifying', () => {
  it('accepts what was signed, whatever the bytes', () => {
    fc.assert(
      fc.property(anyBytes, anySecret, anySeconds, (bytes, key, time) => {
        const header = sign({ body: bytes, secrets: [key], at: time })
        expect(verify({ body: bytes, header, secrets: [key], now: time })).toEqual({ ok: true, at: time })
      }),
    )
  })

  it('refuses a body with any one bit changed', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.nat(), (bytes, place) => {
        const header = sign({ body: bytes, secrets: [secret], at })
        const changed = Uint8Array.from(bytes)
        const index = (place >> 3) % bytes.length
        changed[index] = (changed[index] ?? 0) ^ (1 << (place & 7))
        expect(verify({ body: changed, header, secrets: [secret], now: at })).toMatchObject({ reason: 'no_match' })
      }),
    )
  })

  it('refuses another time than the one signed', () => {
    const header = sign({ body, secrets: [secret], at }).replace(`t=${at}`, `t=${at + 1}`)
    expect(check({ header })).toMatchObject({ ok: false, reason: 'no_match' })
  })

  it('is content with either of two secrets on either side', () => {
    const header = sign({ body, secrets: [secret, older], at })
    expect(check({ header, secrets: [secret] })).toEqual({ ok: true, at })
    expect(check({ header, secrets: [older] })).toEqual({ ok: true, at })
    expect(check({ secrets: [older, secret] })).toEqual({ ok: true, at })
  })

  it('passes over values it does not know beside one that fits', () => {
    expect(check({ header: `t=${at},v0=abc,v1=,v1,v1=zz,v1=${byHand(secret)},v2=x` })).toEqual({ ok: true, at })
  })

  it('never throws and never accepts, whatever stands in the header', () => {
    const part = fc.oneof(
      anyText(),
      fc.constantFrom(
        't=',
        `t=${at}`,
        'v1=',
        'v1',
        'v1=é'.padEnd(67, 'é'),
        `v1=${'0'.repeat(64)}`,
        '=',
        ' ',
        `t=${'9'.repeat(400)}`,
      ),
    )
    const garbage = fc.array(part).map((parts) => parts.join(','))
    fc.assert(
      fc.property(fc.option(garbage, { nil: undefined }), anyBytes, (header, bytes) => {
        const verdict = verify({ body: bytes, header, secrets: [secret], now: at, explain: true })
        expect(verdict).toMatchObject({ ok: false, hint: expect.stringMatching(/\.|\?$/) as string })
      }),
    )
  })

  it.each([
    [-300, { ok: true, at }],
    [300, { ok: true, at }],
    [301, { reason: 'too_old', hint: expect.stringContaining('301 seconds old') as string }],
    [-301, { reason: 'too_new', hint: expect.stringContaining('301 seconds in the future') as string }],
    [300.4, { reason: 'too_old' }],
    [NaN, { ok: false }],
  ])('takes the time on both sides into account: a clock %d seconds ahead', (ahead, verdict) => {
    expect(check({ now: at + ahead })).toMatchObject(verdict)
  })

  it('keeps to a tolerance of the caller', () => {
    expect(check({ now: at + 301, toleranceSeconds: 600 })).toEqual({ ok: true, at })
    expect(check({ now: at + 1, toleranceSeconds: 0 })).toMatchObject({ reason: 'too_old' })
    expect(check({ toleranceSeconds: NaN })).toMatchObject({ ok: false })
  })

  it.each([
    ['no header', { header: undefined }, 'no_header', 'no Service-Signature header'],
    ['an empty header', { header: ' ' }, 'no_header', 'no Service-Signature header'],
    ['a header without a time', { header: `v1=${byHand(secret)}` }, 'malformed', 'no t=<unix seconds>'],
    ['two headers in one', { header: `t=${at},v1=a, t=${at},v1=b` }, 'malformed', 'more than one t'],
    ['upper-case digits', { header: `t=${at},v1=${byHand(secret).toUpperCase()}` }, 'malformed', '64 lower-case'],
    ['a cut header', { header: `t=${at},v1=${byHand(secret).slice(0, 60)}` }, 'malformed', 'was it cut'],
    ['no secret', { secrets: [] }, 'no_secret', 'at least 16 characters'],
    ['a short secret', { secrets: [secret, 'whsec_123456789'] }, 'no_secret', 'at least 16 characters'],
    ['another secret', { secrets: [older] }, 'no_match', 'another endpoint'],
    ['an API secret', { secrets: ['cs_test_0123456789'] }, 'no_match', 'does not begin with whsec_'],
    ['a secret without its prefix', { secrets: [secret.slice(6)] }, 'no_match', 'fits the secret with whsec_ in front'],
    ['a secret with a newline', { secrets: [`${secret}\n`] }, 'no_match', 'without the white space'],
    ['a quoted secret', { secrets: [`"${secret}"`] }, 'no_match', 'without the quotes'],
    ['an empty body', { body: Buffer.alloc(0) }, 'no_match', 'body is empty'],
    ['a body of bytes that are no text', { body: Buffer.from([0xff]) }, 'no_match', 'not UTF-8'],
    ['a newline at the end', { body: Buffer.from(`${text}\n`) }, 'no_match', 'without its trailing newline'],
    ['a byte order mark', { body: Buffer.from(`\uFEFF${text}`) }, 'no_match', 'byte order mark'],
    ['a pretty body', { body: Buffer.from(JSON.stringify(JSON.parse(text), null, 4)) }, 'no_match', 'as compact JSON'],
  ] as const)('explains %s', (_, changes, reason, words) => {
    const verdict = check(changes)
    expect(verdict).toMatchObject({ ok: false, reason, hint: expect.stringContaining(words) as string })
    expect(JSON.stringify(verdict)).not.toContain(secret.slice(6))
  })

  it('finds out that the sender signed a newline after the body', () => {
    const header = sign({ body: Buffer.from(`${text}\n`), secrets: [secret], at })
    expect(check({ header })).toMatchObject({
      reason: 'no_match',
      hint: expect.stringContaining('the body with a trailing newline:') as string,
    })
  })

  it('gives no hint unless it is asked for one', () => {
    for (const changes of [{ header: undefined }, { header: 'x' }, { secrets: [] }, { secrets: [older] }, { now: 0 }]) {
      const { explain: _explain, ...rest } = { explain: true, ...changes }
      expect(check({ ...rest, explain: false })).toEqual({ ok: false, reason: expect.any(String) as string })
    }
  })

  it('looks for causes in short bodies and fresh signatures only', () => {
    const quoted = [`"${secret}"`]
    const long = Buffer.from(`"${'x'.repeat(8_200)}"`)
    expect(check({ body: long, header: sign({ body: long, secrets: [secret], at }), secrets: quoted })).toMatchObject({
      reason: 'no_match',
      hint: expect.stringContaining('at most 8192 bytes') as string,
    })
    expect(check({ secrets: quoted, now: at + 1_000 })).toMatchObject({
      reason: 'no_match',
      hint: expect.stringContaining('its time is 1000 seconds old') as string,
    })
  })

  it('accepts nothing with an empty or short secret, whoever signed it', () => {
    for (const short of ['', ' ', 'whsec_', 'a'.repeat(15), ' '.repeat(99)]) {
      const header = `t=${at},v1=${byHand(short)}`
      expect(check({ header, secrets: [short] })).toMatchObject({ ok: false, reason: 'no_secret' })
      expect(check({ header, secrets: [secret, short] })).toMatchObject({ ok: false, reason: 'no_secret' })
    }
  })

  it('never throws and never accepts, for values of any type', () => {
    const anything = fc.oneof(fc.anything(), fc.constant([secret]), fc.constant(body), fc.constant(`t=${at},v1=a`))
    fc.assert(
      fc.property(anything, anything, anything, fc.boolean(), (bytes, header, secrets, explain) => {
        const given = { body: bytes, header, secrets, now: at, explain } as Verification
        expect(verify(given)).toMatchObject({ ok: false })
        expect(check({ header } as Partial<Verification>)).toMatchObject({ ok: false })
        expect(check({ secrets } as Partial<Verification>).ok).toBe(Array.isArray(secrets) && secrets[0] === secret)
      }),
    )
  })

  it('refuses a header that is too long to be one', () => {
    const header = sign({ body, secrets: [secret], at }) + `,v0=${'x'.repeat(4_096)}`
    expect(check({ header })).toMatchObject({ ok: false, reason: 'malformed' })
  })
})

describe('the headers of a delivery', () => {
  it('are those of the specification, the signature apart', () => {
    expect(deliveryHeaders({ eventId: 'evt_1', eventType: 'lead.created', deliveryId: 'd1', attempt: 2 })).toEqual({
      'User-Agent': 'Service-Webhooks/1.0',
      'Content-Type': 'application/json',
      'Service-Event-Id': 'evt_1',
      'Service-Event-Type': 'lead.created',
      'Service-Delivery-Id': 'd1',
      'Service-Delivery-Attempt': '2',
    })
  })
})
