import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KillableService } from '../support/killable-service.js'
import { Receiver } from '../support/receiver.js'
import { Service } from '../support/service.js'
import { temporaryFile } from '../support/temporary-folder.js'

interface LeadSeen {
  id: string
  external_id: string
  status: string
  attempts: number
}

const rounds = 10

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

    const again = await Service.start({ data })
    const lead = async () => (await again.api<LeadSeen>('GET', `/leads/${accepted.id}`)).data
    expect(await lead()).toMatchObject({ id: accepted.id, status: 'dialing', attempts: 1 })
    await again.simulator.advance('10m')
    expect((await lead()).status).not.toBe('dialing')
    const { data: events } = await again.api<{ type: string }[]>('GET', '/events')
    expect(events.map(({ type }) => type)).toContain('call.completed')
  })

  it('has everything it ever acknowledged, once, and nothing by halves, however often it is killed', async () => {
    const acknowledged = new Map<string, string>()
    let n = 0
    for (let round = 0; round < rounds; round++) {
      const killed = await KillableService.start({ data })
      const enough = acknowledged.size + 1 + ((round * 7) % 20)
      const post = async (): Promise<void> => {
        while (acknowledged.size < enough) {
          const name = `lead-${n++}`
          const words = { campaign_id: killed.campaign, phone: phoneOf(n), external_id: name }
          const { status, data: accepted } = await killed.post<LeadSeen>('/leads', words, name)
          expect(status).toBe(201)
          acknowledged.set(name, accepted.id)
        }
        await killed.kill()
      }
      // Those that were on their way when it was killed have no answer, and nothing is known of them.
      await Promise.allSettled(Array.from({ length: 4 }, post))
    }

    const again = await Service.start({ data })
    const leads: LeadSeen[] = []
    for (let after = ''; ; after = `&starting_after=${leads.at(-1)?.id}`) {
      const { data: page } = await again.api<LeadSeen[]>('GET', `/leads?limit=100${after}`)
      if (page.length === 0) break
      leads.push(...page)
    }
    const stored = new Map(leads.map(({ external_id, id }) => [external_id, id]))
    expect(acknowledged.size).toBeGreaterThan(rounds)
    expect(stored.size).toBe(leads.length)
    for (const [name, id] of acknowledged) expect(stored.get(name)).toBe(id)

    // Every lead that is there is there with its events, and nothing else is.
    const { data: events } = await again.api<{ data: { object: { id: string } } }[]>(
      'GET',
      '/events?type=lead.created&limit=100',
    )
    const told = new Set(events.map((event) => event.data.object.id))
    for (const { id } of leads.slice(0, 100)) expect(told.has(id)).toBe(true)

    const [name = '', id] = [...acknowledged].at(-1) ?? []
    const words = { campaign_id: again.campaign, phone: phoneOf(Number(name.slice(5)) + 1), external_id: name }
    await again.simulator.close()
    const last = await KillableService.start({ data })
    const { status, replayed, data: answer } = await last.post<LeadSeen>('/leads', words, name)
    expect([status, replayed, answer.id]).toEqual([201, true, id])
  }, 120_000)

  it('sends again what was on its way to a receiver: the same event, the same delivery, the same try', async () => {
    receiver = await Receiver.start(() => new Promise(() => undefined))
    const killed = await KillableService.start({ data })
    await killed.post('/webhook_endpoints', { url: receiver.url, events: ['lead.created'] })
    await killed.post('/leads', { campaign_id: killed.campaign, phone: phoneOf(1) })
    const first = await receiver.next()
    await killed.kill()

    receiver.answer = () => ({})
    await Service.start({ data, allowLocalWebhooks: true })
    const second = await receiver.next()
    const same = ['service-event-id', 'service-delivery-id', 'service-delivery-attempt', 'service-event-type'] as const
    for (const name of same) expect(second.headers[name]).toBe(first.headers[name])
    expect(second.rawBody.equals(first.rawBody)).toBe(true)
  })
})
