/** A simulator that is killed again and again under everything clients do: short here, for hundreds of rounds on request. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import { RandomStream } from '../../../simulator/kernel/random.js'
import { KillableService } from '../../support/crashes/killable-service.js'
import { preload } from '../../support/crashes/preload.js'
import { Receiver } from '../../support/deliveries/receiver.js'
import { simulate } from '../../support/simulate.js'
import { temporaryFile } from '../../support/temporary-folder.js'
import { longer } from '../../support/crashes/torture.js'
import { wrongIn } from '../../support/crashes/torture-check.js'
import { Acknowledged, CutShort, kinds, Play, subscribed } from '../../support/crashes/torture-play.js'

const workshop = mkdtempSync(join(tmpdir(), 'lead-calling-'))
afterAll(() => rmSync(workshop, { recursive: true }))
const { library, obstacle } = preload('failing-disk', workshop)

const seed = Number(process.env['SEED'] ?? (longer > 1 ? Date.now() % 1_000_000 : 1))
const rounds = Number(process.env['ROUNDS'] ?? (longer > 1 ? 10 * longer : 3))
const replay = `SEED=${seed} ROUNDS=${rounds} npm run torture`
const clients = 6

let receiver: Receiver | null = null
afterEach(() => receiver?.close())

/** Where it dies: at an answer, or at the disk where a library can see to it. */
function pointOfDeath(chance: RandomStream): { env: NodeJS.ProcessEnv; answers: number } {
  const where = obstacle === null ? chance.pick(['answer', 'write', 'sync', 'synced']) : 'answer'
  if (where === 'answer') return { env: {}, answers: chance.whole(1, 80) }
  const [most] = where === 'write' ? [400] : [80]
  return { env: { DISK_KILL: `${where} ${chance.whole(1, most)}` }, answers: Infinity }
}

/** One life of the program, from its start to its end. */
async function live(data: string, chance: RandomStream, known: Acknowledged, numbers: { next: number }): Promise<void> {
  const { env, answers } = pointOfDeath(chance)
  const atTheDisk = { LD_PRELOAD: library, DISK_FAULT_FOLDER: data, ...env }
  const focus = chance.pick(kinds)
  const until = known.count + answers
  // It may die before it is ready.
  const service = await KillableService.start({ data }, 'DISK_KILL' in env ? atTheDisk : {}).catch((error: unknown) => {
    if ('DISK_KILL' in env) return null
    throw error
  })
  if (!service) return
  let killed: Promise<void> | null = null
  const kill = () => (killed ??= service.kill())
  const onAnswer = () => void (known.count >= until && kill())
  known.beingChanged.clear()
  const play = Array.from({ length: clients }, (_, n) =>
    new Play(service, new RandomStream(chance.bits(), `client ${n}`), known, numbers, onAnswer)
      .run(focus)
      .finally(() => void kill()),
  )
  for (const end of await Promise.allSettled(play))
    if (end.status === 'rejected' && !(end.reason instanceof CutShort)) throw end.reason
  await kill()
}

it(
  `killed ${rounds} times at any moment, it has all it acknowledged, once, and nothing by halves`,
  async () => {
    const [chance, known, numbers, data] = [
      new RandomStream(seed, 'torture'),
      new Acknowledged(),
      { next: 0 },
      temporaryFile(),
    ]
    receiver = await Receiver.start(() => ({ status: chance.fraction() < 0.9 ? 204 : 500 }))
    const first = await KillableService.start({ data })
    const endpoint = await first.post('/webhook_endpoints', { url: receiver.url, events: subscribed })
    expect(endpoint.status).toBe(201)
    for (let n = 1; n <= 12; n++) {
      // With one line: what all of them called would go out to the receiver, ten a second, at the end.
      const words = { name: `Campaign ${n}`, lines: 1, consent_required: false }
      known.campaigns.push((await first.ask<{ id: string }>('POST', '/_sim/campaigns', words)).data.id)
    }
    await first.kill()

    for (let round = 1; round <= rounds; round++) {
      await live(data, chance, known, numbers)
      expect(wrongIn(data, known), `after round ${round}; replay with: ${replay}`).toEqual([])
    }

    receiver.answer = () => ({ status: 204 })
    const last = await simulate({ data, allowLocalWebhooks: true })
    for (const [name, id] of [...known.answers].slice(-3)) {
      const lead = await last.readLead(id)
      const { campaign_id, phone, external_id } = lead
      const again = await last.live.post<{ id: string }>(
        '/leads',
        { campaign_id, phone, external_id },
        { 'idempotency-key': name },
      )
      expect([again.status, again.headers['idempotent-replayed'], again.data.id]).toEqual([201, 'true', id])
    }
    // No new events: those that are there go out, ten a second.
    for (const id of known.campaigns) await last.changeCampaign({ status: 'paused' }, id)
    await last.advance('1d')
    const events: Event[] = []
    for (const type of subscribed) events.push(...(await last.live.all<Event>(`/events?type=${type}`)))
    const arrived = new Set(receiver.requests.map(({ headers }) => headers['service-event-id']))
    expect(events.filter(({ id }) => !arrived.has(id))).toEqual([])
    process.stderr.write(
      `${rounds} rounds, ${known.count} answers, ${known.leads.size} leads, ${events.length} events, ${receiver.requests.length} tries; seed ${seed}\n`,
    )
  },
  60_000 + 20_000 * rounds,
)
