/** The demo: takes one lead from the API to verified webhooks with a real simulator, and prints each step. */
import { statusInWords } from '../../output/value-words.js'
import type { ChalkInstance } from 'chalk'
import type { Client, Contract } from '../../client/client.js'
import { stripControlsFromLine } from '../../output/sanitize.js'
import { eventTypes } from '../../contract/enums.js'
import { startReceiver, type Received } from '../listen/receiver.js'

interface DemoSimulator {
  baseUrl: string
  describe(): { campaigns: { id: string }[]; keys: { key_id: string; secret: string; mode: 'live' | 'test' }[] }
  advance(by: string): Promise<number>
  close(): Promise<void>
}

export type StartDemoSimulator = (options: { paused: boolean; allowLocalWebhooks: boolean }) => Promise<DemoSimulator>

/** Verifies a webhook signature; the package's `verify`. */
export type Verify = (webhook: {
  body: Uint8Array
  header: string | undefined
  secrets: readonly string[]
  now: number
  explain: boolean
}) => { ok: true } | { ok: false; reason: string; hint?: string }

export interface DemoStep {
  name: string
  what: string
  held: boolean
}

export interface Stage {
  say: (line: string) => Promise<void>
  /** Called for each step, for JSON output. */
  step: (step: DemoStep) => void
  verify: Verify
  color: boolean
  /** The machine's clock, in milliseconds. */
  now: () => number
}

/** Expected events of the lead, in order. */
const expected = [
  'lead.created',
  'lead.queued',
  'call.started',
  'call.answered',
  'lead.interested',
  'handover.accepted',
  'call.completed',
]
const phone = '+15550100001'

/** Runs the demo. Returns true if every step succeeded. */
export async function playDemo(start: StartDemoSimulator, stage: Stage): Promise<boolean> {
  const [{ Chalk }, { createClient }] = await Promise.all([import('chalk'), import('../../client/client.js')])
  const story = new Story(stage, new Chalk({ level: stage.color ? 1 : 0 }))
  const began = stage.now()
  const simulator = await start({ paused: true, allowLocalWebhooks: true })
  const arrived: string[] = []
  let secret = ''
  // Reads during the advance: the API keeps answering and shows the current simulated state.
  let leadStatus = (): Promise<string> => Promise.resolve('')
  const receiver = await startReceiver(async (received) => {
    const type = await story.webhook(received, secret, await leadStatus())
    if (type) arrived.push(type)
    return type ? 204 : 400
  })
  try {
    const { campaigns, keys } = simulator.describe()
    const key = keys.find(({ mode }) => mode === 'test')
    const campaign_id = campaigns[0]?.id ?? ''
    const client = createClient({ baseUrl: simulator.baseUrl, key: key && { id: key.key_id, secret: key.secret } })
    await story.chapter(
      `A simulator on ${simulator.baseUrl} with a stopped clock,\nand a receiver of webhooks on ${receiver.url}`,
    )

    const endpoint = await client.call('createWebhookEndpoint', {
      body: { url: receiver.url, events: [...eventTypes] },
    })
    secret = endpoint.body.data.secret
    await story.step('webhook endpoint', `${endpoint.body.data.id} for ${eventTypes.length} events`, true)

    const lead = await client.call('createLead', { body: { campaign_id, phone, name: 'Test Lead' } })
    const id = lead.body.data.id ?? ''
    leadStatus = async () => (await client.call('getLead', { params: { id } })).body.data.status
    await story.step(
      'lead added',
      `${id} is ${lead.body.data.status}`,
      lead.status === 201 && lead.body.data.status === 'dialing',
    )

    await story.chapter('The clock advances four minutes')
    const events = await simulator.advance('4m')
    await story.step('time passed', `${events} events on the way`, events > 0)
    await story.step(
      'webhooks',
      `${arrived.length} arrived, each verified`,
      expected.every((type) => arrived.includes(type)),
    )

    await tellOutcome(client, story, id, endpoint.body.data.id)
    await story.chapter('The same by hand')
    for (const line of byHand) await stage.say(`  ${line}`)
    await stage.say('')
    await story.step('done', `in ${((stage.now() - began) / 1000).toFixed(1)} s; nothing is left behind`, story.held)
    return story.held
  } finally {
    await simulator.close()
    await receiver.close()
  }
}

const byHand = [
  'svc simulate --allow-local-webhooks                      # in one terminal',
  'svc webhooks create --url http://localhost:3000/hooks --event call.completed',
  `svc leads add --campaign <id> --phone ${phone} --name "Test Lead"`,
  'svc simulate advance 4m',
  'svc leads get <lead-id>',
  'svc calls transcript <call-id>',
  'svc events list',
]

/** Checks the read endpoints afterwards: lead, call, transcript and deliveries. */
async function tellOutcome(client: Client<Contract>, story: Story, id: string, endpointId: string): Promise<void> {
  await story.chapter('What is there now')
  const { data: lead } = (await client.call('getLead', { params: { id } })).body
  await story.step(
    'lead',
    `${lead.status}, ${lead.last_outcome}`,
    lead.status === 'done' && lead.last_outcome === 'interested',
  )

  const callId = lead.calls[0]?.id ?? ''
  const { data: call } = (await client.call('getCall', { params: { id: callId } })).body
  const tth = call.tth_seconds === null ? '' : `, ${call.tth_seconds} s from interest to a person`
  await story.step(
    'call',
    `${call.outcome}, ${call.duration_seconds} s, handled by ${call.handled_by.name}${tth}`,
    call.status === 'ended',
  )

  const transcript = (await client.call('getTranscript', { params: { id: callId }, query: { format: 'text' } })).body
  const lines = typeof transcript === 'string' ? transcript.trim().split('\n') : []
  await story.step('transcript', `${lines.length} lines`, lines.length > 3)
  for (const line of lines) await story.aside(line)

  const deliveries = (await client.call('listDeliveries', { params: { id: endpointId }, query: { limit: 100 } })).body
    .data
  await story.step(
    'deliveries',
    `${deliveries.length}, all sent`,
    deliveries.length >= expected.length && deliveries.every(({ status }) => status === 'sent'),
  )
  for (const { event_type, duration_ms, response_status, attempts } of [...deliveries].reverse()) {
    await story.aside(`${event_type.padEnd(18)} ${response_status} in ${duration_ms} ms, try ${attempts}`)
  }
}

class Story {
  readonly #stage: Stage
  readonly #paint: ChalkInstance
  held = true

  constructor(stage: Stage, paint: ChalkInstance) {
    this.#stage = stage
    this.#paint = paint
  }

  chapter(title: string): Promise<void> {
    return this.#stage.say(`\n${this.#paint.bold(title)}`)
  }

  /** Prints one step and whether it succeeded. */
  step(name: string, what: string, held: boolean): Promise<void> {
    this.held &&= held
    this.#stage.step({ name, what, held })
    const mark = held ? this.#paint.green('ok  ') : this.#paint.red('FAIL')
    return this.#stage.say(`  ${mark} ${name.padEnd(17)} ${stripControlsFromLine(what)}`)
  }

  aside(line: string): Promise<void> {
    return this.#stage.say(this.#paint.dim(`         ${stripControlsFromLine(line)}`))
  }

  /** Handles a received webhook. Returns its type if the signature is valid. */
  async webhook({ headers, body }: Received, secret: string, leadStatus: string): Promise<string | null> {
    const header = headers['service-signature']
    const verdict = this.#stage.verify({
      body,
      header: typeof header === 'string' ? header : undefined,
      secrets: [secret],
      now: Math.floor(this.#stage.now() / 1000),
      explain: true,
    })
    const event = JSON.parse(body.toString('utf8')) as { type: string; created: string }
    const how = verdict.ok ? 'signature valid' : `signature not valid: ${verdict.hint ?? verdict.reason}`
    await this.step(
      'webhook',
      `${event.created.slice(11, 19)}  ${event.type.padEnd(18)} ${how}${leadStatus && `, the lead is ${statusInWords(leadStatus)}`}`,
      verdict.ok,
    )
    return verdict.ok ? event.type : null
  }
}
