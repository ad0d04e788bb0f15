/** Plays actions on a real simulator with real receivers and on the delivery model, and compares the two after each. */
import { expect } from 'vitest'
import type { Delivery } from '../../../src/contract/deliveries.js'
import type { Event } from '../../../src/contract/events.js'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '../../../src/contract/webhook-endpoints.js'
import { crashCopy } from '../crashes/crash-copy.js'
import { compare, type SeenTry } from './delivery-comparison.js'
import { DeliveryModel, type Manner, type ModelEndpoint } from './delivery-model.js'
import { PatientMachine } from '../patient-machine.js'
import { Receiver, type Answer } from './receiver.js'
import { simulate, type Client, type Simulation } from '../simulate.js'
import { temporaryFile } from '../temporary-folder.js'

type Mode = 'live' | 'test'
export type Act =
  | { act: 'lead'; campaign: number; mode: Mode }
  | { act: 'opt out'; lead: number }
  | { act: 'advance'; ms: number }
  | { act: 'manner'; receiver: number; manner: Manner }
  | { act: 'create'; receiver: number; events: string[]; campaigns: number[]; mode: Mode }
  | { act: 'change'; endpoint: number; receiver?: number; events?: string[]; campaigns?: number[] }
  | { act: 'pause' | 'activate' | 'delete'; endpoint: number }
  | { act: 'resume'; endpoint: number; resend: boolean }
  | { act: 'roll'; endpoint: number; hours: number }
  | { act: 'test'; endpoint: number; type: string }
  | { act: 'resend'; endpoint: number; delivery: number }
  | { act: 'restart' | 'crash'; sending: boolean; campaign: number }

type ActOf<K extends Act['act']> = Extract<Act, { act: K }>

const began = Date.UTC(2026, 9, 1, 15)
const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString())
const at = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length]

export class DeliveryPlay {
  readonly #machine = new PatientMachine()
  readonly #receivers: (Receiver & { manner: Manner })[] = []
  #sim!: Simulation
  #model!: DeliveryModel
  #data = temporaryFile()
  readonly #campaigns: string[] = []
  readonly #leads: { id: string; mode: Mode; out: boolean }[] = []
  readonly #events = new Map<string, Event>()
  readonly #bodies = new Map<string, Buffer>()
  /** Attempts that were not compared yet. */
  readonly #tries: SeenTry[] = []

  static async start(receivers = 3): Promise<DeliveryPlay> {
    const play = new DeliveryPlay()
    for (let n = 0; n < receivers; n++) await play.#receive()
    await play.#open()
    await play.#sim.changeCampaign({ lines: 0 })
    play.#campaigns.push(play.#sim.campaignId, (await play.#sim.campaign({ lines: 0 })).id)
    play.#model = new DeliveryModel(began, play.#receivers)
    return play
  }

  async close(): Promise<void> {
    await this.#sim.simulator.close()
    for (const receiver of this.#receivers) await receiver.close()
  }

  async #receive(): Promise<void> {
    const answer: Answer = (request) => {
      // Simulated time advances while a receiver hangs, so the clock is not read.
      const simulatedAt = receiver.manner === 'hangs' ? null : Date.parse(this.#sim.now)
      this.#tries.push({ ...request, simulatedAt, machineAt: this.#machine.now() })
      if (receiver.manner === 'hangs') return new Promise(() => undefined)
      return { status: receiver.manner === 'takes' ? 204 : 500 }
    }
    const taking: { manner: Manner } = { manner: 'takes' }
    const receiver = Object.assign(await Receiver.start(answer), taking)
    this.#machine.watch(receiver)
    this.#receivers.push(receiver)
  }

  async #open(): Promise<void> {
    this.#sim = await simulate({ data: this.#data, machine: this.#machine, allowLocalWebhooks: true })
  }

  /** Plays one action, waits until everything due is done, and compares. */
  async play(act: Act): Promise<void> {
    const deed = this.#deeds[act.act] as (act: Act) => Promise<void>
    await deed(act)
    await this.#rest(this.#model.now)
    await this.#compare()
  }

  async #rest(until: number): Promise<void> {
    await this.#machine.through(this.#sim.advance(iso(until) ?? ''))
    this.#model.advance(until)
  }

  readonly #deeds: { [K in Act['act']]: (act: ActOf<K>) => Promise<void> } = {
    lead: ({ campaign, mode }) => this.#addLead(campaign, mode),
    'opt out': async ({ lead }) => {
      const chosen = at(this.#leads, lead)
      if (!chosen) return
      await this.#client(chosen.mode).post(`/leads/${chosen.id}/opt_out`)
      await this.#hearOf(chosen.mode, chosen.out ? 0 : 1)
      chosen.out = true
    },
    advance: ({ ms }) => this.#rest(this.#model.now + ms),
    manner: async ({ receiver, manner }) => {
      const chosen = at(this.#receivers, receiver)
      if (chosen) chosen.manner = manner
    },
    create: async ({ receiver, events, campaigns, mode }) => {
      const words = { events, campaign_ids: this.#ids(campaigns) }
      const body = { ...words, url: this.#url(receiver) }
      const reply = await this.#client(mode).post<WebhookEndpointWithSecret>('/webhook_endpoints', body)
      if (this.#model.endpoints.length >= 10) expect(reply.error.code).toBe('limit_reached')
      else this.#model.create({ ...words, mode, receiver, id: reply.data.id, secret: reply.data.secret })
    },
    change: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        const { receiver = endpoint.receiver, events = [...endpoint.events] } = act
        const campaign_ids = act.campaigns ? this.#ids(act.campaigns) : endpoint.campaign_ids
        expect((await client.patch(path, { url: this.#url(receiver), events, campaign_ids })).status).toBe(200)
        Object.assign(endpoint, { receiver, events, campaign_ids })
      }),
    pause: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        expect((await client.patch(path, { status: 'paused' })).status).toBe(200)
        this.#model.pause(endpoint)
      }),
    activate: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        expect((await client.patch(path, { status: 'active' })).status).toBe(200)
        this.#model.resume(endpoint)
      }),
    delete: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        expect((await client.del(path)).status).toBe(200)
        this.#model.delete(endpoint)
      }),
    resume: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        const { data } = await client.post<{ resent: number }>(`${path}/resume`, { resend_skipped: act.resend })
        this.#model.resume(endpoint)
        expect(data.resent).toBe(act.resend ? this.#model.sendSkipped(endpoint) : 0)
      }),
    roll: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        const { data } = await client.post<{ secret: string }>(`${path}/roll_secret`, { grace_hours: act.hours })
        this.#model.roll(endpoint, data.secret, act.hours)
      }),
    test: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        const reply = await client.post<Delivery & { event: Event }>(`${path}/test`, { type: act.type })
        if (endpoint.status === 'paused') return expect(reply.error.code).toBe('endpoint_paused')
        const { event } = reply.data
        this.#events.set(event.id, event)
        this.#model.deliver(endpoint, { event_id: event.id, event_type: act.type, live: false })
      }),
    resend: (act) =>
      this.#with(act, async (endpoint, client, path) => {
        const again = at(endpoint.deliveries, act.delivery)
        if (!again) return
        const id = (await this.#deliveriesOf(endpoint))[endpoint.deliveries.indexOf(again)]?.id
        const reply = await client.post<Delivery>(`${path}/deliveries/${id}/resend`)
        if (endpoint.status === 'paused') return expect(reply.error.code).toBe('endpoint_paused')
        this.#model.deliver(endpoint, again, again)
      }),
    restart: (act) => this.#fall(act),
    crash: (act) => this.#fall(act),
  }

  /**
   * Ends the program, orderly or by a kill, just after an event was acknowledged or while it is sent, and starts it
   * again.
   */
  async #fall({ act, sending, campaign }: ActOf<'restart' | 'crash'>): Promise<void> {
    await this.#addLead(campaign, 'live')
    const due = this.#model.endpoints.filter((endpoint) => this.#model.due(endpoint).length > 0)
    if (sending && due.length > 0) {
      const before = this.#tries.length
      // The receiver may already have used up the attempts of one second.
      this.#machine.pass(2_000)
      await expect.poll(() => this.#tries.length, { interval: 1, timeout: 10_000 }).toBeGreaterThan(before)
    }
    for (const delivery of due.flatMap((endpoint) => this.#model.due(endpoint))) delivery.mayRepeat = true
    if (act === 'crash') this.#data = crashCopy(this.#data)
    await this.#sim.simulator.close()
    await this.#open()
  }

  async #addLead(campaign: number, mode: Mode): Promise<void> {
    const client = this.#client(mode)
    const phone = `+1646202${1_000 + this.#leads.length}`
    const { id } = await this.#sim.lead({ campaign_id: at(this.#campaigns, campaign), phone }, client)
    this.#leads.push({ id, mode, out: false })
    await this.#hearOf(mode, 2)
  }

  /** Reads the events that an action created, oldest first. */
  async #hearOf(mode: Mode, count: number): Promise<void> {
    const { data } = await this.#client(mode).get<Event[]>('/events?limit=5')
    const news = data.filter(({ id }) => !this.#events.has(id)).reverse()
    expect(news).toHaveLength(count)
    for (const event of news) {
      this.#events.set(event.id, event)
      const campaign = event.data.object.campaign_id ?? ''
      this.#model.happen({ id: event.id, type: event.type, campaign, mode })
    }
  }

  async #with(
    { endpoint: index }: { endpoint: number },
    deed: (endpoint: ModelEndpoint, client: Client, path: string) => Promise<void>,
  ): Promise<void> {
    const endpoint = at(this.#model.endpoints, index)
    if (endpoint) await deed(endpoint, this.#client(endpoint.mode), `/webhook_endpoints/${endpoint.id}`)
  }

  #client(mode: Mode): Client {
    return mode === 'live' ? this.#sim.live : this.#sim.test
  }

  #url(receiver: number): string {
    return `${at(this.#receivers, receiver)?.url}/`
  }

  #ids(campaigns: readonly number[]): string[] | null {
    return campaigns.length === 0 ? null : [...new Set(campaigns.map((n) => at(this.#campaigns, n) ?? ''))]
  }

  /** Oldest first. */
  async #deliveriesOf({ id, mode }: ModelEndpoint): Promise<Delivery[]> {
    return (await this.#client(mode).all<Delivery>(`/webhook_endpoints/${id}/deliveries`)).reverse()
  }

  async #compare(): Promise<void> {
    const seen = await Promise.all(
      this.#model.endpoints.map(async (endpoint) => {
        const path = `/webhook_endpoints/${endpoint.id}`
        const { data } = await this.#client(endpoint.mode).get<WebhookEndpoint>(path)
        return { endpoint: data, url: this.#url(endpoint.receiver), deliveries: await this.#deliveriesOf(endpoint) }
      }),
    )
    compare({ model: this.#model, seen, events: this.#events, bodies: this.#bodies, tries: this.#tries.splice(0) })
  }
}
