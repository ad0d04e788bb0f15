/** Tables of webhook endpoints and deliveries at terminals of several widths, and the shortened ids that they show. */
import { describe, expect, it } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { WebhookEndpoint } from '../../../src/contract/webhook-endpoints.js'
import { receive } from '../../support/deliveries/receivers.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, runAtTerminal, TerminalSvc } from '../../support/programs/terminal.js'

/** An endpoint whose receiver answers 500, so that its deliveries have a next attempt. */
async function withDeliveries() {
  const [at, receiver] = await Promise.all([
    SvcAt.start({ now: '2026-10-01T15:00:00Z', paused: true, allowLocalWebhooks: true }),
    receive(500),
  ])
  const words = ['webhooks', 'create', '--url', receiver.url, '--event', 'lead.created,call.completed']
  const { id } = await at.data<WebhookEndpoint>(...words)
  await at.simulation.lead()
  await at.simulation.advance('1h')
  const [delivery] = await at.data<Delivery[]>('webhooks', 'deliveries', id)
  if (!delivery) throw new Error('nothing was delivered')
  return { at, id, delivery }
}

const env = { NO_COLOR: '1', TZ: 'UTC', CI: '' }

describe.runIf(hasTerminals)('a table of deliveries', () => {
  const short = (id: string) => `${id.slice(0, 8)}…`

  it.each([
    [80, 'Event Status Attempts Answer Next attempt at ID', 'Took (ms), Created'],
    [100, 'Event Status Attempts Answer Took (ms) Next attempt at Created ID', undefined],
    [120, 'Event Status Attempts Answer Took (ms) Next attempt at Created ID', undefined],
    [160, 'Event Status Attempts Answer Took (ms) Next attempt at Created ID', undefined],
  ])('to one endpoint keeps the id: %i columns', async (columns, headers, hidden) => {
    const { at, id, delivery } = await withDeliveries()
    const words = ['webhooks', 'deliveries', id]
    const { screen } = await runAtTerminal(at.svc, words, { env: { ...at.env, ...env }, columns })
    const [head = '', row = ''] = screen.split('\n')
    expect(head.split(/ {2,}/).join(' ')).toBe(headers)
    expect(row.split(/ {2,}/).at(-1)).toBe(columns < 160 ? short(delivery.id) : delivery.id)
    expect(/^Not shown: (.*)$/m.exec(screen)?.[1]).toBe(hidden)
  })

  it.each([
    [80, 'Event Status Answer Next attempt at Endpoint ID ID', 'Attempts, Created'],
    [100, 'Event Status Attempts Answer Next attempt at Created Endpoint ID ID', undefined],
    [120, 'Event Status Attempts Answer Next attempt at Created Endpoint ID ID', undefined],
    [160, 'Event Status Attempts Answer Next attempt at Created Endpoint ID ID', undefined],
  ])('to every endpoint says to which: %i columns', async (columns, headers, hidden) => {
    const { at, id, delivery } = await withDeliveries()
    const words = ['simulate', 'deliveries']
    const { screen } = await runAtTerminal(at.svc, words, { env: { ...at.env, ...env }, columns })
    const [head = '', row = ''] = screen.split('\n')
    expect(head.split(/ {2,}/).join(' ')).toBe(headers)
    const ids = [id, delivery.id]
    expect(row.split(/ {2,}/).slice(-2)).toEqual(columns < 160 ? ids.map(short) : ids)
    expect(/^Not shown: (.*)$/m.exec(screen)?.[1]).toBe(hidden)
  })

  it('keeps whole ids with --columns', async () => {
    const { at, delivery } = await withDeliveries()
    const words = ['simulate', 'deliveries', '--columns', 'event_type,id']
    const { screen } = await runAtTerminal(at.svc, words, { env: { ...at.env, ...env }, columns: 80 })
    expect(screen).toContain(delivery.id)
  })
})

describe.runIf(hasTerminals)('a table of endpoints', () => {
  it.each([
    [60, 'URL Status ID', 'Mode, Events, Last success at'],
    [80, 'URL Status Events ID', 'Mode, Last success at'],
    [100, 'URL Status Mode Events Last success at ID', undefined],
    [160, 'URL Status Mode Events Last success at ID', undefined],
  ])('keeps the id that other commands take: %i columns', async (columns, headers, hidden) => {
    const { at, id } = await withDeliveries()
    const { screen } = await runAtTerminal(at.svc, ['webhooks', 'list'], { env: { ...at.env, ...env }, columns })
    const [head = '', row = ''] = screen.split('\n')
    expect(head.split(/ {2,}/).join(' ')).toBe(headers)
    expect(row.split(/ {2,}/).at(-1)).toBe(columns < 120 ? `${id.slice(0, 8)}…` : id)
    expect(/^Not shown: (.*)$/m.exec(screen)?.[1]).toBe(hidden)
    const { screen: shown, code } = await runAtTerminal(at.svc, ['webhooks', 'get', id.slice(0, 8)], { env: at.env })
    expect({ code, shown }).toMatchObject({ code: 0, shown: expect.stringContaining(id) as string })
  })
})

describe.runIf(hasTerminals)('webhooks resend', () => {
  const resend = (at: SvcAt, ...words: string[]) =>
    new TerminalSvc(at.svc, ['webhooks', 'resend', ...words, '--json'], { env: { ...at.env, ...env } }).end()

  it('takes the shortened id of a table at a terminal, with or without its endpoint', async () => {
    const { at, id, delivery } = await withDeliveries()
    for (const words of [[id, `${delivery.id.slice(0, 8)}…`], [delivery.id.slice(0, 8)]]) {
      const { screen, code } = await resend(at, ...words)
      expect({ screen, code }).toMatchObject({
        screen: expect.stringContaining(`"resent_from": "${delivery.id}"`) as string,
        code: 0,
      })
    }
    const { screen, code } = await resend(at, id, '00000000')
    expect({ screen, code }).toMatchObject({ code: 3 })
  })

  it('takes only whole ids in scripts', async () => {
    const { at, id, delivery } = await withDeliveries()
    const start = delivery.id.slice(0, 8)
    expect(await at.run(['webhooks', 'resend', id, start])).toMatchObject({ code: 3, stdout: '' })
    expect(await at.run(['webhooks', 'resend', start])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Missing: <delivery>.') as string,
    })
  })
})
