import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connectionError } from '../../../src/client/connection.js'
import { pauseBeforeRetry, type Attempt } from '../../../src/client/retry.js'

const answer = (status: number, headers: Record<string, string> = {}, body: unknown = {}) => ({
  status,
  headers,
  text: JSON.stringify(body),
})

const lost = (code: string) => connectionError('https://api.example', Object.assign(new Error(code), { code }))

const after = (changes: Partial<Attempt>) =>
  pauseBeforeRetry({
    outcome: answer(503),
    number: 1,
    repeatable: true,
    patienceMs: 60_000,
    now: 0,
    random: 0.5,
    ...changes,
  })

describe('a request is sent again', () => {
  it.each([200, 201, 302, 400, 401, 403, 404, 409, 422])('never after %i', (status) => {
    expect(after({ outcome: answer(status) })).toBeUndefined()
  })

  it.each([500, 502, 503, 504])('after %i, where that does nothing twice', (status) => {
    expect(after({ outcome: answer(status) })).toEqual({ ms: 200, code: String(status), asked: false })
    expect(after({ outcome: answer(status), repeatable: false })).toBeUndefined()
  })

  it('after 429 and a busy idempotency key whatever the method, for they were not carried out', () => {
    const busy = answer(409, {}, { error: { code: 'idempotency_in_progress' } })
    expect(after({ outcome: answer(429, { 'retry-after': '3' }), repeatable: false })).toEqual({
      ms: 3000,
      code: '429',
      asked: true,
    })
    expect(after({ outcome: busy, repeatable: false, number: 50 })).toEqual({
      ms: 1000,
      code: 'idempotency_in_progress',
      asked: true,
    })
  })

  it.each([
    ['ECONNREFUSED', true, true],
    ['EAI_AGAIN', true, true],
    ['CONNECT_TIMEOUT', true, true],
    ['ECONNRESET', true, false],
    ['ANSWER_TIMEOUT', true, false],
    ['ENOTFOUND', false, false],
    ['CERT_HAS_EXPIRED', false, false],
  ])('after %s: where repeatable %s, where not %s', (code, repeatable, unrepeatable) => {
    expect(after({ outcome: lost(code) }) !== undefined).toBe(repeatable)
    expect(after({ outcome: lost(code), repeatable: false }) !== undefined).toBe(unrepeatable)
  })

  it('no more than three times after failures', () => {
    const tries = (outcome: Attempt['outcome']) => [1, 2, 3, 4].map((number) => after({ outcome, number })?.ms)
    expect(tries(answer(500))).toEqual([200, 400, 800, undefined])
    expect(tries(lost('ECONNRESET'))).toEqual([200, 400, 800, undefined])
  })

  it('as late as a failing service asks', () => {
    expect(after({ outcome: answer(503, { 'retry-after': '9' }) })).toEqual({ ms: 9000, code: '503', asked: true })
  })

  it.each(['soon', '', '-5', '1.5', '0'])('a second later where Retry-After says "%s"', (value) => {
    const ms = after({ outcome: answer(429, { 'retry-after': value }) })?.ms
    expect(ms).toBe(1000)
  })

  it('never past what may still be waited, and never sooner than now', () => {
    const outcomes = fc.oneof(
      fc
        .tuple(fc.integer({ min: 100, max: 599 }), fc.option(fc.string(), { nil: undefined }))
        .map(([status, wait]) => answer(status, wait === undefined ? {} : { 'retry-after': wait })),
      fc.constantFrom('ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'SOMETHING').map(lost),
    )
    fc.assert(
      fc.property(
        outcomes,
        fc.integer({ min: 1, max: 9 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 90_000 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (outcome, number, repeatable, patienceMs, random) => {
          const pause = after({ outcome, number, repeatable, patienceMs, random })
          expect(pause === undefined || (pause.ms >= 0 && pause.ms <= patienceMs)).toBe(true)
        },
      ),
    )
  })
})
