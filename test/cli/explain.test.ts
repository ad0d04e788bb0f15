/** `leads explain`: its text, its documents, what-if questions, and a service without a control plane. */
import { describe, expect, it } from 'vitest'
import { explainFromApi } from '../../src/cli/explain/deployment.js'
import { renderExplanation } from '../../src/cli/explain/render.js'
import { createClient } from '../../src/client/client.js'
import { startSimulator } from '../../simulator/index.js'
import type { Explanation } from '../../src/contract/control/explain.js'
import type { ScriptedCall } from '../../src/contract/control/scripts.js'
import { PlainService } from '../support/servers/plain-service.js'
import type { Client, Simulation } from '../support/simulate.js'
import { Svc } from '../support/programs/svc.js'
import { SvcAt } from '../support/programs/svc-at.js'

const plainPaint = { bold: (text: string) => text, dim: (text: string) => text } as never

/** A lead in Honolulu whose try was due at night. */
async function nightly() {
  const at = await SvcAt.start({ now: '2026-10-02T06:30:00Z' })
  const { simulation } = at
  const phone = '+18082011000'
  await simulation.script(phone, { answer: 'busy', ring_seconds: 60 })
  const { id } = await simulation.lead({ phone, name: 'Ann', external_id: 'crm-42' })
  await simulation.advance('90m')
  return { at, id, phone }
}

const nightText = `\
Ann (+18082011000, Pacific/Honolulu) is scheduled: next call in 10 h, 2026-10-02 08:00 HST (18:00 UTC).
  campaign running           yes
  calling hours 08:00-21:00  closed there since 21:00, open at 08:00  <- waits for this
  24-hour cooldown           no other call to this number
  Do Not Call list           not listed
  attempts                   2 of 6; next try was due 2026-10-01 21:02 HST
  lines                      0 of 5 busy; 0 leads before it when the hours open
`

describe('leads explain', () => {
  it('says in a line for each rule what it says, and which one decides, also in a pipe', async () => {
    const { at, id, phone } = await nightly()
    for (const name of [id, phone, 'crm-42']) expect(await at.text('leads', 'explain', name)).toBe(nightText)
  })

  it('prints the answer of the simulator as JSON, and its rules as rows', async () => {
    const { at, id } = await nightly()
    const answer = await at.simulation.control<Explanation>('GET', `/_sim/leads/${id}/explain`)
    expect(await at.data('leads', 'explain', id)).toEqual(answer)
    const one = JSON.parse(await at.text('leads', 'explain', id, '--json', 'lead_id')) as unknown
    expect(one).toEqual({ data: { lead_id: id } })
    const rows = await at.text('leads', 'explain', id, '-o', 'tsv', '--no-header', '--columns', 'rule,verdict')
    expect(rows).toBe(answer.rules.map(({ rule, verdict }) => `${rule}\t${verdict}\n`).join(''))
  })

  it('--at and --campaign-hours: answer what if, and say so', async () => {
    const { at, id } = await nightly()
    const hours = ['--campaign-hours', 'mon-thu 09:00-18:00', '--campaign-hours', 'sat 10:00-12:00']
    const text = await at.text('leads', 'explain', id, '--at', '2026-10-02T20:00:00Z', ...hours)
    expect(text.split('\n')[0]).toBe(
      'At 2026-10-02 10:00 HST (20:00 UTC), with the calling hours mon-thu 09:00-18:00; sat 10:00-12:00: ' +
        'Ann (+18082011000, Pacific/Honolulu) is scheduled: next call in 1 day, 2026-10-03 10:00 HST (20:00 UTC).',
    )
    expect(text).toContain(
      '  calling hours 10:00-12:00  closed there since 18:00, open at Sat 10:00  <- waits for this\n',
    )
    expect(text).toContain('  lines                      not known at another moment\n')
  })

  it.each([
    [['--at', 'tomorrow'], '--at tomorrow is not a date-time with its zone.'],
    [['--campaign-hours', 'all day'], '--campaign-hours all day is not a week of calling hours.'],
  ])('%j: is refused with the form to use', async (flags, message) => {
    const at = await SvcAt.start()
    const { code, stderr } = await at.run(['leads', 'explain', '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11', ...flags])
    expect(code).toBe(2)
    expect(stderr).toContain(`Error: ${message}\n  Use a form like `)
  })

  it('--at in the past: is refused, by a simulator and by another service', async () => {
    const { at, id } = await nightly()
    const plain = await PlainService.before(at.simulation.url)
    for (const SVC_BASE_URL of [at.env.SVC_BASE_URL, plain.baseUrl]) {
      const past = ['leads', 'explain', id, '--at', '2020-10-01T15:00:00Z']
      const { code, stderr } = await at.run(past, { env: { SVC_BASE_URL } })
      expect([code, stderr]).toEqual([2, expect.stringContaining('--at 2020-10-01T15:00:00Z is in the past.')])
    }
  })

  it('an unknown lead: is not found, as for every command about a lead', async () => {
    const at = await SvcAt.start()
    const unknown = '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11'
    expect((await at.run(['leads', 'explain', unknown])).code).toBe((await at.run(['leads', 'get', unknown])).code)
  })
})

describe('the text of leads explain', () => {
  it.each([40, 120])('fits into %i columns', async (width) => {
    const { at, id } = await nightly()
    const answer = await at.simulation.control<Explanation>('GET', `/_sim/leads/${id}/explain`)
    const text = renderExplanation(answer, { width, at: undefined, assumedHours: undefined }, plainPaint)
    const lines = text.split('\n')
    expect(lines.filter((line) => line.length > width)).toEqual([])
    const expected = width === 120 ? nightText : narrowText
    expect(text).toBe(expected)
  })
})

const narrowText = `\
Ann (+18082011000, Pacific/Honolulu) is
scheduled: next call in 10 h, 2026-10-02
08:00 HST (18:00 UTC).
  campaign running
    yes
  calling hours 08:00-21:00
    closed there since 21:00, open at
    08:00 <- waits for this
  24-hour cooldown
    no other call to this number
  Do Not Call list
    not listed
  attempts
    2 of 6; next try was due 2026-10-01
    21:02 HST
  lines
    0 of 5 busy; 0 leads before it when
    the hours open
`

/** Leads in every state, by name. */
async function everyState(simulation: Simulation): Promise<Record<string, string>> {
  const called = async (call: ScriptedCall, words: object = {}) => {
    const phone = simulation.phone()
    await simulation.script(phone, call)
    return (await simulation.lead({ phone, ...words })).id
  }
  const shared = simulation.phone()
  await simulation.script(shared, { answer: 'busy' })
  const { id: other } = await simulation.campaign({ name: 'Other' })
  const { id: paused } = await simulation.campaign({ name: 'Paused', status: 'paused' })
  const { id: full } = await simulation.campaign({ name: 'Full', lines: 1 })
  const { id: failing } = await simulation.campaign({ name: 'Failing', retire_after_failures: 1 })
  const ids: Record<string, string> = {
    retried: await called({ answer: 'no_answer', ring_seconds: 20 }),
    interested: await called({ answer: 'person', outcome: 'interested', talk_seconds: 30 }),
    booked: await called({
      answer: 'person',
      outcome: 'callback',
      callback_at: '2026-10-02T15:00:00Z',
      talk_seconds: 30,
    }),
    late_booked: await called({
      answer: 'person',
      outcome: 'callback',
      callback_at: '2026-10-03T02:00:00Z',
      talk_seconds: 30,
    }),
    retired: await called({ answer: 'failed' }, { campaign_id: failing }),
    reached: (await simulation.lead({ phone: shared })).id,
  }
  await simulation.advance('10m')
  await called({ answer: 'no_answer', ring_seconds: 7_200 }, { campaign_id: full })
  ids['cooling'] = (await simulation.lead({ phone: shared, campaign_id: other })).id
  ids['asleep'] = (await simulation.lead({ phone: '+18082011000' })).id
  ids['held'] = (await simulation.lead({ campaign_id: paused })).id
  ids['queued'] = (await simulation.lead({ campaign_id: full })).id
  ids['listed'] = (await simulation.lead({ phone: '+18082011001' })).id
  await simulation.live.post('/dnc', { phone: '+18082011001' })
  ids['taken_out'] = (await simulation.lead({ phone: '+18082011002' })).id
  await simulation.control('POST', `/_sim/leads/${ids['taken_out']}/take_out`)
  ids['set'] = (await simulation.lead({ campaign_id: other })).id
  await simulation.advance('20m')
  await simulation.control('PATCH', `/_sim/leads/${ids['set']}`, { next_dial_at: '2026-10-02T16:00:00Z' })
  ids['urgent'] = (await simulation.lead({ campaign_id: full, call_now: true })).id
  ids['dialing'] = await called({ answer: 'no_answer', ring_seconds: 300 })
  return ids
}

/** The explanation of the API only, by one of its keys. */
async function fromApi(plain: PlainService, key: Client['key'], id: string, now: string, whatIf = {}) {
  const client = createClient({ baseUrl: plain.baseUrl, key: { id: key.key_id, secret: key.secret ?? '' } })
  const lead = (await client.call('getLead', { params: { id } })).body.data
  return explainFromApi({ client, lead, now: Date.parse(now), ...whatIf })
}

/** What only the simulator knows of each lead; the others are the same. */
const beyondApi: Readonly<Record<string, readonly string[]>> = {
  queued: ['lines'],
  urgent: ['lines', 'late'],
  listed: ['taken_out', 'retired_number', 'lines'],
  taken_out: ['taken_out', 'retired_number', 'lines'],
  dialing: ['taken_out', 'lines'],
}

describe('leads explain of a service without a control plane', () => {
  it('says the same as the simulator where the API tells enough, else that it is not known', async () => {
    const { simulation } = await SvcAt.start()
    const ids = await everyState(simulation)
    const plain = await PlainService.before(simulation.url)
    for (const [name, id] of Object.entries(ids)) {
      const known = await simulation.control<Explanation>('GET', `/_sim/leads/${id}/explain`)
      const found = await fromApi(plain, simulation.live.key, id, simulation.now)
      const differing = known.rules.filter((one, n) => JSON.stringify(one) !== JSON.stringify(found.rules[n]))
      expect(
        differing.map(({ rule }) => rule),
        name,
      ).toEqual(known.rules.map(({ rule }) => rule).filter((rule) => (beyondApi[name] ?? ['lines']).includes(rule)))
      for (const { rule } of differing)
        expect(found.rules.find((one) => one.rule === rule)?.says, `${name}: ${rule}`).toMatch(/not known|the limit is/)
      const decides = name === 'taken_out' ? null : known.decides
      expect({ ...found, rules: [] }, name).toEqual({ ...known, decides, rules: [] })
    }
    expect(plain.asked.filter((line) => line.includes('/_sim'))).toEqual([])
  })

  it('says what a key without permissions does not let it know', async () => {
    const { simulation } = await SvcAt.start()
    const { id } = await simulation.lead({ phone: '+18082011000' })
    const plain = await PlainService.before(simulation.url)
    const key = await simulation.control<Client['key']>('POST', '/_sim/keys', {
      mode: 'live',
      permissions: ['leads:read'],
    })
    const { decides, next_call_at, rules } = await fromApi(plain, key, id, simulation.now)
    expect([decides, next_call_at]).toEqual(['calling_hours', '2026-10-01T18:00:00.000Z'])
    expect(Object.fromEntries(rules.map(({ rule, says }) => [rule, says]))).toMatchObject({
      campaign: 'not known: the campaign cannot be read',
      calling_hours: 'not known: the campaign cannot be read',
      cooldown: 'not known: the key may not read calls',
      dnc: 'not known: the key may not read the list',
      attempts: '0; the limit is not known',
    })
  })

  it('does not take the calls of some campaigns for all calls', async () => {
    const { simulation } = await SvcAt.start()
    const { id } = await simulation.lead({ phone: '+18082011000' })
    const plain = await PlainService.before(simulation.url)
    const key = await simulation.control<Client['key']>('POST', '/_sim/keys', {
      campaign_ids: [simulation.campaignId],
      mode: 'live',
    })
    const { rules } = await fromApi(plain, key, id, simulation.now)
    expect(rules[2]).toMatchObject({
      verdict: 'unknown',
      says: 'not known: the key may not see the calls of every campaign',
    })
  })

  it('judges another moment and other hours with the rules of the simulator', async () => {
    const { simulation } = await SvcAt.start()
    const { id } = await simulation.lead({ phone: '+18082011000' })
    const plain = await PlainService.before(simulation.url)
    const whatIf = { at: '2026-10-02T20:00:00Z', campaignHours: 'mon-thu 09:00-18:00' }
    const query = `?at=${whatIf.at}&campaign_hours=${encodeURIComponent(whatIf.campaignHours)}`
    const known = await simulation.control<Explanation>('GET', `/_sim/leads/${id}/explain${query}`)
    expect(known.decides).toBe('calling_hours')
    expect(await fromApi(plain, simulation.live.key, id, simulation.now, whatIf)).toEqual(known)
  })

  it('is used by the command where no control plane answers', async () => {
    const at = await SvcAt.start({ now: new Date().toISOString() })
    await at.simulation.changeCampaign({ lines: 0, any_hour: true })
    const { id } = await at.simulation.lead({ name: 'Ann' })
    const { baseUrl } = await PlainService.before(at.simulation.url)
    const { code, stdout } = await at.run(['leads', 'explain', id], { env: { SVC_BASE_URL: baseUrl } })
    expect(code).toBe(0)
    expect(stdout).toContain('is queued: it waits for a free line.\n')
    expect(stdout).toContain('  calling hours     any hour\n')
    expect(stdout).toContain('  lines             the campaign has no line  <- waits for this\n')
  })
})

describe('leads explain of a simulator that asks for its control token', () => {
  it('sees every rule with the token, and says what it shows without it', async () => {
    const simulator = await startSimulator({
      host: '0.0.0.0',
      controlToken: 'secret-token',
      paused: true,
      now: '2026-10-01T15:00:00Z',
    })
    const { baseUrl, url } = simulator
    const world = simulator.describe()
    const key = world.keys.find(({ mode }) => mode === 'live')
    const env = { SVC_BASE_URL: baseUrl, SVC_KEY_ID: key?.key_id ?? '', SVC_SECRET: key?.secret ?? '' }
    const loaded = await fetch(`${url}/_sim/leads`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer secret-token' },
      body: JSON.stringify({ campaign_id: world.campaigns[0]?.id, mode: 'live', leads: [{ phone: '+18082011000' }] }),
    })
    expect(loaded.status).toBe(201)
    const svc = new Svc()
    const explain = (...flags: string[]) => svc.run(['leads', 'explain', '+18082011000', ...flags], { env })
    const [full, partial] = [await explain('--control-token', 'secret-token'), await explain()]
    expect(full).toMatchObject({ code: 0, stderr: '' })
    expect(full.stdout).toMatch(/ lines +0 of 5 busy/)
    expect(partial.code).toBe(0)
    expect(partial.stdout).toMatch(/ lines +5; how many are busy is not known/)
    expect(partial.stdout).toContain('calling hours 08:00-21:00  closed there since 21:00, open at 08:00')
    expect(partial.stderr).toContain(
      'at the time of its usage figures, which is at most 5 minutes old. Give --control-token',
    )
    const wrong = await explain('--control-token', 'another')
    expect([wrong.code, wrong.stdout]).toEqual([4, ''])
    expect(wrong.stderr).not.toContain('another')
    await simulator.close()
  })
})
