/** Signs webhooks over their raw body, and verifies signatures (rules W3 to W5). */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { explainMismatch } from './mismatch.js'
import { isUsableSecret, secretLengthMin } from './secret.js'

/** Largest allowed difference between the signature's time and the receiver's clock (rule W5). */
export const defaultToleranceSeconds = 300

/** A longer header is refused without parsing. The service's own header has at most two signatures, 155 characters. */
const headerLengthMax = 4_096

export interface Signing {
  /** The exact bytes that are sent. */
  body: Uint8Array
  /** The endpoint's current `whsec_` secrets, newest first: at least one, each of 16 characters or more. */
  secrets: readonly string[]
  /** Whole Unix seconds of the system clock. */
  at: number
}

export interface Verification {
  /** The raw bytes of the request's body, before any parsing. */
  body: Uint8Array
  /** The value of the `Service-Signature` header. */
  header: string | undefined
  /** The accepted secrets, each of 16 characters or more. One match is enough. */
  secrets: readonly string[]
  /** Seconds by which the signing time may differ from `now`; 300 by default. */
  toleranceSeconds?: number
  /** Unix seconds of the receiver's clock. */
  now: number
  /**
   * Adds a `hint` for the developer to a refusal. Do not set it in a receiver: guessing costs time, and the sender
   * must not see the hint.
   */
  explain?: boolean
}

export type RefusalReason = 'no_header' | 'malformed' | 'no_secret' | 'no_match' | 'too_old' | 'too_new'

export type Verdict =
  | { ok: true; at: number }
  /** `hint` says what is probably wrong. Set only with `explain`. */
  | { ok: false; reason: RefusalReason; hint?: string }

/** A refusal, and a function that makes its hint on request. */
interface Finding {
  reason: RefusalReason
  explain: () => string
}

/** Thrown by `sign` for a secret that is empty or too short. */
export class NoSecretError extends RangeError {
  readonly code = 'no_secret'
}

const noSecret = `A webhook secret has at least ${secretLengthMin} characters. Use the whsec_ secret of the endpoint.`

/** The 32 bytes of the digest. The key is the whole secret with its `whsec_` prefix. */
function computeDigest(time: string, body: Uint8Array, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${time}.`).update(body).digest()
}

/** The header's value: `t=<seconds>,v1=<64 hex digits>`, with one `v1` per secret in the given order (rule W4). */
export function sign({ body, secrets, at }: Signing): string {
  if (secrets.length === 0) throw new NoSecretError('A webhook is signed with at least one secret.')
  if (!secrets.every(isUsableSecret)) throw new NoSecretError(noSecret)
  if (!Number.isSafeInteger(at) || at < 0) throw new RangeError('A signing time is whole unix seconds.')
  const signatures = secrets.map((secret) => `v1=${computeDigest(String(at), body, secret).toString('hex')}`)
  return [`t=${at}`, ...signatures].join(',')
}

/** Whether a received webhook is genuine and fresh. Never throws. */
export function verify({ explain = false, ...verification }: Verification): Verdict {
  const found = check(verification)
  if (typeof found === 'number') return { ok: true, at: found }
  return { ok: false, reason: found.reason, ...(explain && { hint: found.explain() }) }
}

/** The time of a matching, fresh signature, or why there is none. */
function check({
  body,
  header,
  secrets,
  toleranceSeconds = defaultToleranceSeconds,
  now,
}: Verification): number | Finding {
  // Plain JavaScript may pass anything, such as an unset variable or an array of headers.
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
  // Written so that NaN, as age or tolerance, refuses.
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
  // Malformed values are skipped. One matching v1 is enough (rule W3).
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
