/** The signature of a webhook: made by the service over the raw body, checked by the receiver (specification, Signature). */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { explainMismatch } from './mismatch.js'

/** How far a signature's time may be from the receiver's clock, in either direction. */
export const defaultToleranceSeconds = 300

export interface Signing {
  /** The bytes that go on the wire, as they go. */
  body: Uint8Array
  /** The endpoint's `whsec_` secrets in force, newest first; at least one. */
  secrets: readonly string[]
  /** Whole unix seconds of the machine's clock. */
  at: number
}

export interface Verification {
  /** The raw bytes of the request's body, before any parser has seen them. */
  body: Uint8Array
  /** The value of the `Service-Signature` header. */
  header: string | undefined
  /** The secrets to accept; one that fits is enough. */
  secrets: readonly string[]
  /** Seconds the signing time may differ from `now`; 300 when left out. */
  toleranceSeconds?: number
  /** Unix seconds of the receiver's clock. */
  now: number
}

export type Verdict =
  | { ok: true; at: number }
  | { ok: false; reason: 'no_header' | 'malformed' | 'no_secret' | 'no_match' | 'too_old' | 'too_new'; hint: string }

type Refusal = Extract<Verdict, { ok: false }>

/** The digest's 32 bytes. The key is the whole text of the secret, its `whsec_` included. */
function digest(time: string, body: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}

/** The header's value: `t=<seconds>,v1=<64 hex digits>`, one `v1` for each secret in the given order. */
export function sign({ body, secrets, at }: Signing): string {
  if (secrets.length === 0) throw new RangeError('A webhook is signed with at least one secret.')
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError('A signing time is whole unix seconds.')
  const signatures = secrets.map((secret) => `v1=${digest(String(at), body, secret).toString('hex')}`)
  return [`t=${at}`, ...signatures].join(',')
}

/**
 * Says whether a received webhook is genuine and fresh; the hint of a refusal names the likeliest mistake.
 * Never throws, whatever the header holds.
 */
export function verify({
  body,
  header,
  secrets,
  toleranceSeconds = defaultToleranceSeconds,
  now,
}: Verification): Verdict {
  if (header === undefined || header.trim() === '') {
    return refuse('no_header', 'There is no Service-Signature header: is this request from the service at all?')
  }
  const parsed = parseHeader(header)
  if ('reason' in parsed) return parsed
  if (secrets.length === 0)
    return refuse('no_secret', 'There is no secret to check with: give the whsec_ secret of the endpoint.')

  const { time, signatures } = parsed
  const fits = (bytes: Uint8Array, secret: string) => matchesAny(digest(time, bytes, secret), signatures)
  if (!secrets.some((secret) => fits(body, secret))) return refuse('no_match', explainMismatch(body, secrets, fits))

  const at = Number(time)
  const age = now - at
  // Put so that an age or a tolerance that is no number refuses.
  if (Math.abs(age) <= toleranceSeconds) return { ok: true, at }
  const off = `${Math.ceil(Math.abs(age))} seconds`
  const allowed = `more than the ${toleranceSeconds} allowed`
  return age < 0
    ? refuse('too_new', `The signature fits but is from ${off} in the future, ${allowed}: the clock here is behind.`)
    : refuse(
        'too_old',
        `The signature fits but is ${off} old, ${allowed}: the request was kept too long, or the clock here is ahead.`,
      )
}

function parseHeader(header: string): { time: string; signatures: readonly Buffer[] } | Refusal {
  const parts = header
    .trim()
    .split(',')
    .map((part) => part.trim().split('='))
  const values = (name: string) => parts.filter(([key]) => key === name).map(([, ...rest]) => rest.join('='))
  const times = values('t')
  const [time] = times
  if (time === undefined || !/^\d{1,12}$/.test(time)) {
    return refuse('malformed', 'The header has no t=<unix seconds>: it must read t=<unix seconds>,v1=<64 hex digits>.')
  }
  if (times.length > 1) return refuse('malformed', 'The header has more than one t: two headers were joined into one.')
  // Others than well-formed values are passed over: one fitting v1 is enough (specification, Signature, 2).
  const signatures = values('v1')
    .filter((hex) => /^[0-9a-f]{64}$/.test(hex))
    .map((hex) => Buffer.from(hex, 'hex'))
  if (signatures.length > 0) return { time, signatures }
  return refuse('malformed', 'The header has no v1=<64 lower-case hex digits>: was it cut, or changed in case?')
}

function matchesAny(expected: Buffer, signatures: readonly Buffer[]): boolean {
  return signatures.filter((signature) => timingSafeEqual(signature, expected)).length > 0
}

function refuse(reason: Refusal['reason'], hint: string): Refusal {
  return { ok: false, reason, hint }
}
