/** What is typed and what goes out for it: each flag has its place in the request. */
import { afterAll, beforeAll, describe, it } from 'vitest'
import { Receiver } from '../../support/deliveries/receiver.js'
import { everyCommand, exampleOf, Svc } from '../../support/programs/svc.js'

const svc = new Svc()
let receiver: Receiver
let lines = 0

beforeAll(async () => {
  // A page, or an object, of nothing in particular.
  receiver = await Receiver.start(({ method }) => ({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: method === 'GET' ? [] : {}, meta: { next_cursor: null, has_more: false } }),
  }))
})
afterAll(() => receiver.close())

/** The requests of a command line; each has a separate address. */
async function sent(line: string) {
  const base = `/${++lines}/api`
  const env = { SVC_BASE_URL: receiver.url + base, SVC_SECRET: 'cs_test_a' }
  await svc.shell(`${line} --json`, { env })
  return receiver.requests
    .filter(({ path }) => path.startsWith(`${base}/`))
    .map(({ method, path, headers, rawBody }) => {
      const { pathname, searchParams } = new URL(path.slice(base.length), 'http://x')
      const body = rawBody.length === 0 ? null : (JSON.parse(rawBody.toString()) as unknown)
      return { what: `${method} ${pathname}`, query: Object.fromEntries(searchParams), headers, body }
    })
}

const at = '2026-10-01T15:00:00Z'
const campaign = '8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11'
const lead = '3f0c9c58-8a1e-4c3b-9d53-1f0a5b7c2e11'
const page = { limit: '5', starting_after: 'x' }

describe.concurrent('what is asked', () => {
  it.for<[line: string, what: string, query: object]>([
    [
      `leads list --campaign ${campaign} --status held --created-after ${at} --limit 5 --starting-after x`,
      'GET /leads',
      { campaign_id: campaign, status: 'held', 'created[gte]': at, ...page },
    ],
    [
      `leads get --external-id crm-1 --campaign ${campaign}`,
      'GET /leads',
      { external_id: 'crm-1', campaign_id: campaign },
    ],
    [
      `calls list --campaign ${campaign} --lead ${lead} --external-id e --outcome voicemail --created-after ${at} --created-before ${at} --limit 5 --starting-after x`,
      'GET /calls',
      {
        campaign_id: campaign,
        lead_id: lead,
        external_id: 'e',
        outcome: 'voicemail',
        'created[gte]': at,
        'created[lte]': at,
        ...page,
      },
    ],
    [
      `events list --type lead.late --created-after ${at} --created-before ${at} --limit 5 --starting-after x`,
      'GET /events',
      { type: 'lead.late', 'created[gte]': at, 'created[lte]': at, ...page },
    ],
    ['dnc list --search 212 --limit 5 --starting-after x', 'GET /dnc', { search: '212', limit: '5', cursor: 'x' }],
    ['usage --period 2026-09 --group-by key', 'GET /usage', { period: '2026-09', group_by: 'key' }],
    [
      'webhooks deliveries 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --status gave_up --limit 5 --starting-after x',
      'GET /webhook_endpoints/8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11/deliveries',
      { status: 'gave_up', ...page },
    ],
  ])('svc %s', async ([line, what, query], { expect }) => {
    expect(await sent(`svc ${line}`)).toMatchObject([{ what, query, body: null }])
  })

  it.for<[line: string, what: string, body: object]>([
    [
      `leads add --campaign ${campaign} --phone +1 --name n --email e --address a --external-id x --field k=v=w --field l= ` +
        `--consent-source web_form --consent-at ${at} --consent-text t --consent-url u --consent-ip 1.2.3.4 --no-call-now --dry-run`,
      'POST /leads',
      {
        campaign_id: campaign,
        phone: '+1',
        name: 'n',
        email: 'e',
        address: 'a',
        external_id: 'x',
        fields: { k: 'v=w', l: '' },
        consent: { source: 'web_form', agreed_at: at, text: 't', url: 'u', ip: '1.2.3.4' },
        call_now: false,
        dry_run: true,
      },
    ],
    [
      `leads add --campaign ${campaign} --phone +1 --call-now`,
      'POST /leads',
      { campaign_id: campaign, phone: '+1', call_now: true },
    ],
    [`leads opt-out ${lead} --reason why --yes`, `POST /leads/${lead}/opt_out`, { reason: 'why' }],
    [
      `exports create --type analytics --campaign ${campaign} --start-date 2026-09-01 --end-date 2026-09-30`,
      'POST /exports',
      { exportType: 'analytics', filters: { campaignId: campaign, startDate: '2026-09-01', endDate: '2026-09-30' } },
    ],
    [
      'webhooks roll-secret 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --grace-hours 0',
      'POST /webhook_endpoints/8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11/roll_secret',
      { grace_hours: 0 },
    ],
    [
      'webhooks resume 8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11 --resend-skipped',
      'POST /webhook_endpoints/8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11/resume',
      { resend_skipped: true },
    ],
  ])('svc %s', async ([line, what, body], { expect }) => {
    const [one, ...more] = await sent(`svc ${line}`)
    expect({ what: one?.what, body: one?.body, more }).toEqual({ what, body, more: [] })
  })
})

const keyed = everyCommand().filter(([typed, { flags }]) => flags['idempotency-key'] && typed !== 'api')

describe.concurrent.each(keyed)('svc %s', (typed, command) => {
  it('sends the idempotency key it is given', async ({ expect }) => {
    const line = exampleOf([typed, command])
    const yes = command.flags['yes'] && !line.includes('--yes') ? '--yes' : ''
    const requests = await sent(`${line} --idempotency-key mine ${yes}`)
    expect(requests.at(-1)?.headers['idempotency-key']).toBe('mine')
  })
})
