/** Replays a recorded run, unchanged or with a variation. */
import type { Agenda } from '../../src/contract/control/agenda.js'
import type { Sent } from './run.js'
import type { Stage } from './actions/stage.js'

type Request = Exclude<Sent, { to: string }>
const isPush = (sent: Sent): sent is { to: string } => 'to' in sent

/** What the replay does differently. */
export interface Variation {
  /** The times at which an advance stops on its way; the last one is its end. */
  stops?: (stage: Stage, from: number, to: number) => Promise<number[]> | number[]
  /** Called before each request. */
  beforeRequest?: (stage: Stage, request: Request) => Promise<void>
  /** Called after each entry, advances included. `coming` is the rest of the recording. */
  after?: (stage: Stage, n: number, coming: readonly Sent[]) => Promise<void>
  /** How time passes while it is not advanced. */
  pass?: (stage: Stage, ms: number) => Promise<void>
}

/** Ends only in system time, which may be stopped. */
const isSlow = ({ path, body }: Request): boolean =>
  path === '/_sim/faults' && body !== undefined && 'latency_ms' in body

/** Ignores answers: in the recording, too, a request may have been refused or cut off. */
export async function send(
  { simulation }: Stage,
  { secret, method, path, body, idempotencyKey }: Request,
): Promise<void> {
  if (secret === null) return void (await simulation.ask(method, path, body))
  const headers: Record<string, string> = { authorization: `Bearer ${secret}` }
  if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey
  await simulation.send(method, path, { headers, body }).catch(() => undefined)
}

export async function sendAll(stage: Stage, tape: readonly Sent[], variation: Variation = {}): Promise<void> {
  for (const [n, sent] of tape.entries()) {
    if (isPush(sent)) await push(stage, Date.parse(sent.to), variation)
    else if (!(variation.pass && isSlow(sent))) {
      await variation.beforeRequest?.(stage, sent)
      await send(stage, sent)
    }
    await variation.after?.(stage, n, tape.slice(n + 1))
  }
}

async function push(stage: Stage, to: number, { stops, pass }: Variation): Promise<void> {
  const from = Date.parse(stage.simulation.now)
  if (pass) return pass(stage, to - from)
  for (const at of stops ? await stops(stage, from, to) : [to])
    await stage.simulation.advance(new Date(at).toISOString())
}

export async function nextAppointment({ simulation }: Stage): Promise<number | null> {
  const { appointments } = await simulation.control<Agenda>('GET', '/_sim/agenda?limit=1')
  return appointments[0] ? Date.parse(appointments[0].at) : null
}
