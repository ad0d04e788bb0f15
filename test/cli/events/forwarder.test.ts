/** How an event is tried, where a test of the program would have to wait for it: by a server that is simulated. */
import { describe, expect, it } from 'vitest'
import type { PostOutcome } from '../../../src/client/post.js'
import type { Event } from '../../../src/contract/events.js'
import { Forwarder, isAccepted, type FailedAttempt } from '../../../src/cli/listen/forwarder.js'
import { PollingPace } from '../../../src/cli/events/polling-pace.js'

const event = { id: 'evt_1', type: 'lead.created', created: '2026-10-01T15:00:00.000Z' } as Event
const never = new AbortController().signal

/** A clock that jumps over every wait, and knows how long each was. */
function jumpingMachine() {
  const waits: number[] = []
  const machine = {
    now: () => waits.reduce((sum, ms) => sum + ms, 0),
    random: () => 0.5,
    sleep: async (ms: number) => void waits.push(ms),
  }
  return { machine, waits }
}

function forwarder(retries: number, outcome: Partial<PostOutcome>) {
  const { machine, waits } = jumpingMachine()
  const failures: FailedAttempt[] = []
  const forward = new Forwarder({
    post: async () => ({ status: 200, duration_ms: 5, error: null, response_body: '', ...outcome }),
    headersOf: () => ({}),
    retries,
    timeoutMs: 0,
    machine,
    onFailure: (failure) => failures.push(failure),
  })
  const result = forward.forward(event, new URL('http://localhost:3000/'), never, never)
  return { result, waits, failures }
}

describe('an event', () => {
  it('that was taken after more than the ten seconds of the service is not accepted, and not sent again', async () => {
    const { result, failures } = forwarder(3, { duration_ms: 12_000 })
    const late = await result
    expect(late).toMatchObject({ status: 200, attempts: 1, hint: expect.stringContaining('too late for the service') })
    expect(late && isAccepted(late)).toBe(false)
    expect(failures).toMatchObject([{ pauseMs: undefined, hint: late?.hint }])
    const inTime = await forwarder(3, { duration_ms: 10_000 }).result
    expect(inTime && isAccepted(inTime)).toBe(true)
  })

  it('that is not taken is tried after waits that grow, up to five seconds', async () => {
    const { result, waits, failures } = forwarder(6, { status: 500 })
    expect(await result).toMatchObject({ status: 500, attempts: 7 })
    expect(waits).toEqual([250, 750, 2_250, 5_000, 5_000, 5_000])
    expect(failures.map(({ pauseMs }) => pauseMs)).toEqual([...waits, undefined])
  })

  it.each([
    ['HPE_INVALID_CONSTANT', /speaks no HTTP/],
    ['ERR_SSL_WRONG_VERSION_NUMBER', /speaks no TLS/],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', /NODE_EXTRA_CA_CERTS/],
    ['ENOTFOUND', /no such host/],
    ['EWHATEVER', /log/],
  ])('that meets %s has a hint that fits', async (error, hint) => {
    expect(await forwarder(0, { status: null, error }).result).toMatchObject({ hint: expect.stringMatching(hint) })
  })
})

it('looking for events takes five requests at once and then one a second, and leaves a key the rest', async () => {
  const { machine, waits } = jumpingMachine()
  const pace = new PollingPace(machine)
  for (let turn = 0; turn < 9; turn++) await pace.turn(never)
  expect(waits).toEqual([1_000, 1_000, 1_000, 1_000])
  waits.push(60_000)
  for (let turn = 0; turn < 6; turn++) await pace.turn(never)
  expect(waits.slice(5)).toEqual([1_000])
})
