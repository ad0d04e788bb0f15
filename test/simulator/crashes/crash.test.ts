import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KillableService } from '../../support/crashes/killable-service.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'

interface LeadSeen {
  id: string
  status: string
  attempts: number
}

let data: string
beforeEach(() => {
  data = temporaryFile()
})

let receiver: Receiver | null = null
afterEach(() => receiver?.close())

const phoneOf = (n: number) => `+1212${5_560_000 + n}`

describe('a simulator that is killed', () => {
  it('has the lead it acknowledged a moment before, and calls it', async () => {
    const killed = await KillableService.start({ data })
    const { status, data: accepted } = await killed.post<LeadSeen>('/leads', {
      campaign_id: killed.campaign,
      phone: phoneOf(1),
    })
    await killed.kill()
    expect(status).toBe(201)

    const again = await simulate({ data })
    const lead = async () => (await again.live.get<LeadSeen>(`/leads/${accepted.id}`)).data
    expect(await lead()).toMatchObject({ id: accepted.id, status: 'dialing', attempts: 1 })
    await again.simulator.advance('10m')
    expect((await lead()).status).not.toBe('dialing')
    const { data: events } = await again.live.get<{ type: string }[]>('/events')
    expect(events.map(({ type }) => type)).toContain('call.completed')
  })

  it('sends again what was on its way to a receiver: the same event, the same delivery, the same try', async () => {
    receiver = await Receiver.start(() => new Promise(() => undefined))
    const killed = await KillableService.start({ data })
    await killed.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await killed.post('/leads', { campaign_id: killed.campaign, phone: phoneOf(1) })
    const first = await receiver.next()
    await killed.kill()

    receiver.answer = () => ({})
    await simulate({ data, allowLocalWebhooks: true })
    const second = await receiver.next()
    const same = ['service-event-id', 'service-delivery-id', 'service-delivery-attempt', 'service-event-type'] as const
    for (const name of same) expect(second.headers[name]).toBe(first.headers[name])
    expect(second.rawBody.equals(first.rawBody)).toBe(true)
  })
})
