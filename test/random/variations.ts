/** Variations that must not change a world: the size of steps, restarts, snapshots, faults, and observers. */
import { minuteMs } from './model/hours.js'
import type { Sent } from './run.js'
import type { Stage } from './actions/stage.js'
import { nextAppointment, send, sendAll, type Variation } from './tape.js'

const every = (n: number, many: number) => n % many === many - 1

/** Stops at every full minute, if there are not too many. */
function byMinutes(_stage: Stage, from: number, to: number): number[] {
  const stepMs = Math.max(minuteMs, Math.ceil((to - from) / 120))
  const stops: number[] = []
  for (let at = from + stepMs; at < to; at += stepMs) stops.push(at)
  return [...stops, to]
}

/** Stops at each appointment on the way, and a millisecond before it. */
async function byAppointments(stage: Stage, _from: number, to: number): Promise<number[]> {
  for (let n = 0; n < 60; n++) {
    const next = await nextAppointment(stage)
    if (next === null || next >= to) break
    const now = Date.parse(stage.simulation.now)
    for (const at of [Math.max(now, next - 1), next]) await stage.simulation.advance(new Date(at).toISOString())
  }
  return [to]
}

const isOfSnapshots = (sent: Sent) => 'path' in sent && sent.path.startsWith('/_sim/snapshots')

/** Does what comes next and advances further, then restores a snapshot. */
async function elsewhereAndBack(stage: Stage, n: number, coming: readonly Sent[]): Promise<void> {
  if (!every(n, 20)) return
  await stage.simulation.control('POST', '/_sim/snapshots', { name: 'here' })
  await sendAll(
    stage,
    coming.slice(0, 10).filter((sent) => !isOfSnapshots(sent)),
  )
  await stage.simulation.advance('5h')
  await stage.simulation.control('DELETE', '/_sim/faults')
  await stage.simulation.control('POST', '/_sim/snapshots/here/restore')
}

/** Makes most requests fail before they do anything, some by a dropped connection. */
async function failFirst(stage: Stage, request: Exclude<Sent, { to: string }>): Promise<void> {
  if (request.secret === null || request.idempotencyKey !== undefined) return
  const fault = request.path.length % 2 === 0 ? { status: 503 } : { drop: true }
  await stage.simulation.control('POST', '/_sim/faults', fault)
  await send(stage, request)
  await stage.simulation.control('DELETE', '/_sim/faults')
}

export interface NamedVariation extends Variation {
  name: string
  inFile?: true
  watched?: true
}

export const variations: readonly NamedVariation[] = [
  { name: 'done again' },
  { name: 'with time pushed by minutes', stops: byMinutes },
  { name: 'with time pushed to each appointment', stops: byAppointments },
  { name: 'watched by somebody', watched: true },
  { name: 'kept in a file', inFile: true },
  {
    name: 'started again on the way',
    inFile: true,
    after: async (stage, n) => void (every(n, 9) && (await stage.restart())),
  },
  { name: 'killed on the way', inFile: true, after: async (stage, n) => void (every(n, 9) && (await stage.crash())) },
  { name: 'brought back to where it was', after: elsewhereAndBack },
  { name: 'with requests that fail first', beforeRequest: failFirst },
]
