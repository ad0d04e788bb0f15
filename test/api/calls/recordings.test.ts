import { once } from 'node:events'
import { request as rawRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { RecordingLink } from '../../../src/contract/calls.js'
import type { ScriptedCall } from '../../../src/contract/control/scripts.js'
import { download } from '../../support/download.js'
import { simulate, type Simulation } from '../../support/simulate.js'

const phone = '+12125557812'
const lines: ScriptedCall['lines'] = [
  { speaker: 'lead', text: 'Hello? Who is there, please?' },
  { speaker: 'ai', text: 'Hi, this is the assistant you asked to call you back today.' },
  { speaker: 'agent', text: 'And this is Dana. Good to hear you. Shall we begin?' },
]
const talk: ScriptedCall = { answer: 'person', ring_seconds: 5, talk_seconds: 20.5, outcome: 'not_interested', lines }

/** A sim in which one call has been made and has ended. */
async function afterCall(script: ScriptedCall = talk) {
  const sim = await simulate()
  const lead = await sim.scripted(phone, script)
  await sim.advance('2m')
  return { sim, call: await callOf(sim, lead) }
}

/** The id of the latest call of a lead. */
const callOf = async (sim: Simulation, lead: string, client = sim.live) =>
  (await sim.readLead(lead, client)).calls[0]?.id ?? ''

const linkTo = (sim: Simulation, call: string, key = sim.live.key) =>
  sim.as(key).get<RecordingLink>(`/calls/${call}/recording`)

/** What a player reads of a WAV file. */
function decode(bytes: Buffer) {
  const text = (at: number) => bytes.toString('latin1', at, at + 4)
  expect([text(0), text(8), text(12), text(36)]).toEqual(['RIFF', 'WAVE', 'fmt ', 'data'])
  expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8)
  expect(bytes.readUInt32LE(16)).toBe(16)
  expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44)
  const [format, channels, bits] = [bytes.readUInt16LE(20), bytes.readUInt16LE(22), bytes.readUInt16LE(34)]
  const rate = bytes.readUInt32LE(24)
  expect([bytes.readUInt32LE(28), bytes.readUInt16LE(32)]).toEqual([
    (rate * channels * bits) / 8,
    (channels * bits) / 8,
  ])
  const samples = Array.from({ length: (bytes.length - 44) / 2 }, (_, i) => bytes.readInt16LE(44 + 2 * i))
  return { format, channels, bits, rate, samples, seconds: samples.length / rate }
}

/** How much of a pitch, in hertz, is in some samples (Goertzel). */
function strength(samples: readonly number[], pitch: number, rate: number): number {
  const turn = 2 * Math.cos((2 * Math.PI * pitch) / rate)
  let [before, last] = [0, 0]
  for (const sample of samples) [before, last] = [last, sample + turn * last - before]
  return last ** 2 + before ** 2 - turn * last * before
}

describe('a recording', () => {
  it('is a WAV as long as the talk, with a file name and its size', async () => {
    const { sim, call } = await afterCall()
    const { status, data } = await linkTo(sim, call)
    expect([status, data.livemode]).toEqual([200, true])
    const file = await download(data.url)
    expect(file.headers).toMatchObject({
      'content-type': 'audio/wav',
      'content-length': String(file.bytes.length),
      'content-disposition': `attachment; filename="${call}.wav"`,
    })
    const { samples: _samples, ...wav } = decode(file.bytes)
    expect(wav).toEqual({ format: 1, channels: 1, bits: 16, rate: 8000, seconds: 20.5 })
  })

  it('has a pitch of its own for each speaker, at the times of the transcript, and silence after their words', async () => {
    const { sim, call } = await afterCall()
    const { rate, samples } = decode((await download((await linkTo(sim, call)).data.url)).bytes)
    const { data: transcript } = await sim.live.get<{ lines: { at: string }[] }>(`/calls/${call}/transcript`)
    const { data } = await sim.live.get<{ answered: string }>(`/calls/${call}`)
    const starts = transcript.lines.map(({ at }) => ((Date.parse(at) - Date.parse(data.answered)) / 1000) * rate)
    const loudest = starts.map((start) => {
      const turn = samples.slice(start + rate * 0.1, start + rate * 1.1)
      return [147, 220, 330].sort((a, b) => strength(turn, b, rate) - strength(turn, a, rate))[0]
    })
    expect(loudest).toEqual([330, 220, 147])
    for (const start of starts) expect(Math.abs(samples[start] ?? 1)).toBe(0)
    expect(samples.slice(-rate).every((sample) => sample === 0)).toBe(true)
  })

  it('is the same each time it is made, behind a link of its own', async () => {
    const { sim, call } = await afterCall()
    const first = (await linkTo(sim, call)).data
    await sim.advance('1m')
    const second = (await linkTo(sim, call)).data
    expect(second.url).not.toBe(first.url)
    expect((await download(second.url)).bytes.equals((await download(first.url)).bytes)).toBe(true)
  })

  it('is there for a call that was answered and cut at once', async () => {
    const { sim, call } = await afterCall({ answer: 'person', talk_seconds: 0, outcome: 'hung_up' })
    expect(decode((await download((await linkTo(sim, call)).data.url)).bytes).seconds).toBe(0)
  })

  it('is a sample for a test key', async () => {
    const sim = await simulate()
    const key = sim.test.key
    const { id: lead } = await sim.lead({ phone: '+15550100001' }, sim.test)
    await sim.advance('5m')
    const { data } = await linkTo(sim, await callOf(sim, lead, sim.test), key)
    expect(data.livemode).toBe(false)
    expect(decode((await download(data.url)).bytes).seconds).toBe(229)
  })
})

// rule S7
describe('the link to a recording', () => {
  it('works without a key until it expires after five minutes of simulated time', async () => {
    const { sim, call } = await afterCall()
    const { url, expires_at } = (await linkTo(sim, call)).data
    expect(Date.parse(expires_at) - Date.parse(sim.now)).toBe(5 * 60_000)
    await sim.advance('299s')
    expect((await download(url)).status).toBe(200)
    await sim.advance('1s')
    const { status, text } = await download(url)
    expect(status).toBe(403)
    expect(JSON.parse(text)).toMatchObject({
      error: { type: 'permission_error', code: 'permission_denied', reason: 'expired', param: null },
    })
  })

  it('is refused when anything of it was changed', async () => {
    const { sim, call } = await afterCall()
    const { url } = (await linkTo(sim, call)).data
    const changed = [
      url.replace(/expires=\d+/, 'expires=9999999999999'),
      url.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      url.replace(/signature=.*/, 'signature='),
      url.replace(/&signature=.*/, ''),
      url.replace(/\?.*/, ''),
      url.replace('/live/', '/test/'),
      url.replace(
        call,
        call.replace(/^./, (first) => (first === '0' ? '1' : '0')),
      ),
    ]
    for (const each of changed) {
      const { status, text } = await download(each)
      expect([each, status, JSON.parse(text)]).toMatchObject([each, 403, { error: { reason: 'wrong_signature' } }])
    }
  })
})

describe('a signed link that was bent', () => {
  /** The status and body of a path that is sent letter by letter. */
  async function sent(sim: Simulation, path: string): Promise<[number | undefined, string]> {
    const asked = rawRequest(sim.url, { path }).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    return [response.statusCode, await text(response)]
  }

  it.each([
    '/storage/../../../../etc/passwd',
    '/storage/%2e%2e/%2e%2e/etc/passwd',
    '/storage/x/live/recordings/..%2f..%2f..%2fetc%2fpasswd.wav',
    '/storage/x/live/recordings/%00.wav',
    '/storage/x/live/exports/..%5c..%5cx/leads.csv',
    '/storage/__proto__/live/exports/x/constructor.csv',
    'LINK/../../test/recordings/CALL.wav',
    'LINK%2f..%2f',
    'LINK%00.csv',
    '/LINK',
  ])('leads to no file: %s', async (bent) => {
    const { sim, call } = await afterCall()
    const { pathname, search } = new URL((await linkTo(sim, call)).data.url)
    const [status, body] = await sent(sim, bent.replace('LINK', pathname).replace('CALL', call) + search)
    expect([400, 403, 404]).toContain(status)
    const { error } = JSON.parse(body) as { error: { code: string; request_id: string } }
    expect(error.code).toMatch(/^(invalid_request|permission_denied|not_found)$/)
    expect(error.request_id).toMatch(/^req_\w+$/)
  })
})

describe('a recording is not available', () => {
  const refusal = { status: 404, error: { code: 'recording_not_available', type: 'invalid_request_error' } }

  it('while recording is off for the organization', async () => {
    const { sim, call } = await afterCall()
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { recording: false })
    expect(await linkTo(sim, call)).toMatchObject(refusal)
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { recording: true })
    expect((await linkTo(sim, call)).status).toBe(200)
  })

  it('nor named, by the call and its events, while recording is off', async () => {
    const sim = await simulate()
    await sim.control('PATCH', `/_sim/organizations/${sim.organization.id}`, { recording: false })
    const lead = await sim.scripted(phone, talk)
    await sim.advance('2m')
    const { data: call } = await sim.live.get(`/calls/${await callOf(sim, lead)}`)
    expect(call).toMatchObject({ recording_available: false, transcript_available: true })
    const { data: events } = await sim.live.get<{ data: object }[]>('/events?type=call.completed')
    expect(events[0]?.data).toHaveProperty('transcript_path')
    expect(events[0]?.data).not.toHaveProperty('recording_path')
  })

  it('for a call that nobody answered', async () => {
    const { sim, call } = await afterCall({ answer: 'no_answer' })
    expect(await linkTo(sim, call)).toMatchObject(refusal)
  })

  it('before the call has ended', async () => {
    const sim = await simulate()
    const call = await callOf(sim, await sim.scripted(phone, talk))
    expect(await linkTo(sim, call)).toMatchObject(refusal)
    await sim.advance('10s')
    expect(await linkTo(sim, call)).toMatchObject(refusal)
    await sim.advance('15.5s')
    expect((await linkTo(sim, call)).status).toBe(200)
  })

  it('from 90 days after the call on', async () => {
    const sim = await simulate()
    const call = await callOf(sim, await sim.scripted(phone, talk))
    await sim.advance('25.5s')
    await sim.advance('89d')
    await sim.advance('86399s')
    expect((await linkTo(sim, call)).status).toBe(200)
    await sim.advance('1s')
    expect(await linkTo(sim, call)).toMatchObject(refusal)
  })

  it('to a key that does not see the call, or may read no calls', async () => {
    const { sim, call } = await afterCall()
    const other = await sim.campaign()
    const scoped = await sim.key({ campaign_ids: [other.id] })
    expect(await linkTo(sim, call, scoped)).toMatchObject({ status: 404, error: { code: 'not_found' } })
    expect(await linkTo(sim, call, sim.test.key)).toMatchObject({
      status: 404,
      error: { code: 'not_found' },
    })
    const deaf = await sim.key({ permissions: ['leads:read'] })
    expect(await linkTo(sim, call, deaf)).toMatchObject({
      status: 403,
      error: { missing_permission: 'calls:read' },
    })
  })
})
