/** `svc simulate advance --until` and the flags that go with it, and `--stop`. */
import { describe, expect, it } from 'vitest'
import type { ClockAdvanced } from '../../../src/contract/control/clock.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { SvcAt } from '../../support/programs/svc-at.js'

const talk = { answer: 'person', ring_seconds: 5, talk_seconds: 60, outcome: 'interested' } as const

describe('simulate advance --until', () => {
  it('stops at the event, and prints the clock and the event', async () => {
    const at = await SvcAt.start()
    const id = await at.simulation.scripted(at.simulation.phone(), talk)
    const data = await at.data<ClockAdvanced>('simulate', 'advance', '--until', 'call.answered', '--lead', id)
    expect(data).toMatchObject({ reached: true, now: '2026-10-01T15:00:05.000Z', event: { type: 'call.answered' } })
    const words = ['--lead', id, '--status', 'done', '--outcome', 'interested', '--within', '2d']
    expect(await at.text('simulate', 'advance', ...words, '-o', 'csv', '--columns', 'now,reached')).toBe(
      'now,reached\n2026-10-01T15:01:05.000Z,true\n',
    )
  })

  it('exits 9 when it does not happen within that time, with the clock on stdout', async () => {
    const at = await SvcAt.start()
    const { code, stdout, stderr } = await at.run([
      'simulate',
      'advance',
      '--outcome',
      'busy',
      '--within',
      '1h',
      '--json',
    ])
    expect([code, JSON.parse(stdout)]).toMatchObject([9, { data: { reached: false, now: '2026-10-01T16:00:00.000Z' } }])
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: 'It did not happen within 1h of simulated time.' },
      exit_code: 9,
    })
  })

  it.each([
    [['--until', 'call.ended'], 2, /no event call\.ended/],
    [['--status', 'asleep'], 2, /--status/],
    [['--lead', '00000000-0000-4000-8000-000000000000'], 2, /--lead needs something to stop at/],
    [['--within', '2d'], 2, /--within needs something to stop at/],
    [['2d', '--status', 'done'], 2, /Write --within 2d/],
    [['--status', 'done', '--within', 'soon'], 2, /--within soon/],
    [['--status', 'done', '--lead', '00000000-0000-4000-8000-000000000000'], 3, /no such lead/],
  ])('%j is refused, and no time passes', async (words, code, message) => {
    const at = await SvcAt.start()
    const { now } = at.simulation
    const ran = await at.run(['simulate', 'advance', ...words])
    expect(ran).toMatchObject({ code, stdout: '' })
    expect(ran.stderr).toMatch(message)
    expect(at.simulation.now).toBe(now)
  })
})

describe('simulate advance --stop', () => {
  it('ends the advance of another program at the time it has reached', async () => {
    const receiver = await Receiver.start(() => new Promise(() => undefined))
    const at = await SvcAt.alone({ allowLocalWebhooks: true })
    await at.client.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await at.simulation.lead()
    const advance = at.simulation.control<{ stopped?: boolean }>('POST', '/_sim/clock/advance', { by: '31d' })
    await receiver.waitFor(1)
    const { stopped, now } = await at.data<{ stopped: number; now: string }>('simulate', 'advance', '--stop')
    expect([stopped, now < '2026-10-02']).toEqual([1, true])
    expect(await advance).toMatchObject({ stopped: true, now })
    await receiver.close()
  })

  it('says that no advance is under way, and takes no other words', async () => {
    const at = await SvcAt.start()
    expect(await at.data('simulate', 'advance', '--stop')).toMatchObject({ stopped: 0 })
    for (const words of [['4m'], ['--until', 'call.completed'], ['--within', '2d']])
      expect(await at.run(['simulate', 'advance', '--stop', ...words])).toMatchObject({ code: 2, stdout: '' })
  })
})
