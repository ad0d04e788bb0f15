/** Signs webhooks over their raw body, and verifies signatures (specification, Signature). */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { explainMismatch } from './mismatch.js'
import { isUsableSecret, secretLengthMin } from './secret.js'

/** How far a signature's time may be from the receiver's clock, in either direction. */
export const defaultToleranceSeconds = 300

/** A longer header is refused unread. The service's own has two signatures at most, 155 characters. */
const headerLengthMax = 4_096

export interface Signing {
  /** The bytes that go on the wire, as they go. */
  body: Uint8Array
  /** The endpoint's `whsec_` secrets in force, newest first; at least one, each of 16 characters or more. */
  secrets: readonly string[]
  /** Whole unix seconds of the machine's clock. */
  at: number
}

export interface Verification {
  /** The raw bytes of the request's body, before any parser has seen them. */
  body: Uint8Array
  /** The value of the `Service-Signature` header. */
  header: string | undefined
  /** The secrets to accept; one that fits is enough. Each must have 16 characters or more. */
  secrets: readonly string[]
  /** Seconds the signing time may differ from `now`; 300 when left out. */
  toleranceSeconds?: number
  /** Unix seconds of the receiver's clock. */
  now: number
  /**
   * Adds a `hint` to a refusal, for a developer's own eyes. Leave it out in a receiver: guessing costs time, and a
   * hint is not for the sender of an unsigned request.
   */
  explain?: boolean
}

export type RefusalReason = 'no_header' | 'malformed' | 'no_secret' | 'no_match' | 'too_old' | 'too_new'

export type Verdict =
  | { ok: true; at: number }
  /** `hint` says what is probably wrong; only there when `explain` was asked for. */
  | { ok: false; reason: RefusalReason; hint?: string }

/** A refusal, and the sentence that explains it: made only when asked for. */
interface Finding {
  reason: RefusalReason
  explain: () => string
}

/** Thrown by `sign` for a secret that is empty or too short. */
export class NoSecretError extends RangeError {
  readonly code = 'no_secret'
}

const noSecret = `A webhook secret has at least ${secretLengthMin} characters. Use the whsec_ secret of the endpoint.`

/** The digest's 32 bytes. The key is the whole text of the secret, its `whsec_` included. */
function computeDigest(time: string, body: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}

/** The header's value: `t=<seconds>,v1=<64 hex digits>`, one `v1` for each secret in the given order. */
export function sign({ body, secrets, at }: Signing): string {
  if (secrets.length === 0) throw new NoSecretError('A webhook is signed with at least one secret.')
  if (!secrets.every(isUsableSecret)) throw new NoSecretError(noSecret)
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError('A signing time is whole unix seconds.')
  const signatures = secrets.map((secret) => `v1=${computeDigest(String(at), body, secret).toString('hex')}`)
  return [`t=${at}`, ...signatures].join(',')
}

/** Says whether a received webhook is genuine and fresh. Never throws, for any header, secret or body. */
export function verify({ explain = false, ...verification }: Verification): Verdict {
  const found = check(verification)
  if (typeof found === 'number') return { ok: true, at: found }
  return { ok: false, reason: found.reason, ...(explain && { hint: found.explain() }) }
}

/** The time of a signature that fits and is fresh, or why there is none. */
function check({
  body,
  header,
  secrets,
  toleranceSeconds = defaultToleranceSeconds,
  now,
}: Verification): number | Finding {
  // Plain JavaScript may pass anything, such as an unset variable or a header that came twice.
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every(isUsableSecret)) {
    return rejectSignature('no_secret', () => noSecret)
  }
  const parsed = parseHeader(header)
  if ('reason' in parsed) return parsed
  if (!ArrayBuffer.isView(body)) {
    return rejectSignature(
      'no_match',
      () => 'The body is not bytes. Verify the raw bytes of the request, before any parser.',
    )
  }
  const { time, signatures } = parsed
  const fits = (bytes: Uint8Array, secret: string) => matchesAny(computeDigest(time, bytes, secret), signatures)
  const isSigned = secrets.some((secret) => fits(body, secret))

  const at = Number(time)
  const age = now - at
  // Written so that an age or a tolerance that is not a number refuses.
  const isFresh = Math.abs(age) <= toleranceSeconds
  if (isSigned && isFresh) return at
  const off = `${Math.ceil(Math.abs(age))} seconds`
  const distance = age < 0 ? `from ${off} in the future` : `${off} old`
  const allowed = `more than the ${toleranceSeconds} allowed`
  if (!isSigned) {
    return rejectSignature('no_match', () =>
      isFresh
        ? explainMismatch(body, secrets, fits)
        : `The signature does not fit, and its time is ${distance}, ${allowed}. Allow a longer tolerance to look for the cause.`,
    )
  }
  return rejectSignature(
    age < 0 ? 'too_new' : 'too_old',
    () =>
      `The signature fits but is ${distance}, ${allowed}: ` +
      (age < 0 ? 'the clock here is behind.' : 'the request was kept too long, or the clock here is ahead.'),
  )
}

function parseHeader(header: unknown): { time: string; signatures: readonly Buffer[] } | Finding {
  if (header === undefined || header === null || header === '') return missing
  if (typeof header !== 'string' || header.length > headerLengthMax) {
    return rejectSignature(
      'malformed',
      () => 'The header is not one short text: it must read t=<unix seconds>,v1=<64 hex digits>.',
    )
  }
  if (header.trim() === '') return missing
  const parts = header
    .trim()
    .split(',')
    .map((part) => part.trim().split('='))
  const values = (name: string) => parts.filter(([key]) => key === name).map(([, ...rest]) => rest.join('='))
  const times = values('t')
  const [time] = times
  if (time === undefined || !/^\d{1,12}$/.test(time)) {
    return rejectSignature(
      'malformed',
      () => 'The header has no t=<unix seconds>: it must read t=<unix seconds>,v1=<64 hex digits>.',
    )
  }
  if (times.length > 1) {
    return rejectSignature('malformed', () => 'The header has more than one t: two headers were joined into one.')
  }
  // Values that are not well formed are skipped: one fitting v1 is enough (specification, Signature, 2).
  const signatures = values('v1')
    .filter((hex) => /^[0-9a-f]{64}$/.test(hex))
    .map((hex) => Buffer.from(hex, 'hex'))
  if (signatures.length > 0) return { time, signatures }
  return rejectSignature(
    'malformed',
    () => 'The header has no v1=<64 lower-case hex digits>: was it cut, or changed in case?',
  )
}

function matchesAny(expected: Buffer, signatures: readonly Buffer[]): boolean {
  return signatures.filter((signature) => timingSafeEqual(signature, expected)).length > 0
}

const missing = rejectSignature(
  'no_header',
  () => 'There is no Service-Signature header: is this request from the service at all?',
)

function rejectSignature(reason: RefusalReason, explain: () => string): Finding {
  return { reason, explain }
}
