/** Checks that every appointment refers to an existing lead, call or delivery. */
import type { Agenda } from '../../src/contract/control/agenda.js'
import type { Lead } from '../../src/contract/leads.js'
import { must } from './model/rule.js'
import type { Run } from './run.js'
import { placesOf, waitOf } from './standing-check.js'

const most = 1000
const waitsOnIts: Readonly<Record<string, readonly string[]>> = {
  'lead.due': ['scheduled', 'callback_scheduled'],
  'lead.late': ['queued'],
}

export async function checkAgenda(run: Run): Promise<void> {
  const { mirror, stage } = run
  const { appointments } = await stage.simulation.control<Agenda>('GET', `/_sim/agenda?limit=${most}`)
  const beats = new Map<string, number>()
  for (const { at, kind, subject } of appointments) {
    must(Date.parse(at) > mirror.now, 'what is due has happened', { at, kind, subject })
    const lead = mirror.leads.get(subject ?? '')
    const statuses = waitsOnIts[kind]
    if (statuses && lead) must(statuses.includes(lead.status), 'only who waits has an appointment', { at, kind, lead })
    if (kind === 'call.beat') beats.set(subject ?? '', (beats.get(subject ?? '') ?? 0) + 1)
  }
  if (appointments.length >= most) return
  for (const { id, status } of mirror.calls.values())
    must((beats.get(id) ?? 0) === (status === 'ended' ? 0 : 1), 'a call goes on until it ends', { id, status })
}

/** Queue positions and waits agree with reading each lead. */
export async function checkPlaces(run: Run): Promise<void> {
  const { mirror, stage } = run
  for (const key of run.keys.filter(({ campaign_ids }) => campaign_ids === null)) {
    for (const { id } of mirror.campaigns.values()) {
      for (const { lead, place } of placesOf(mirror, key.tenant, id).slice(0, 5)) {
        const { data } = await stage.simulation.as(key).get<Lead>(`/leads/${lead.id}`)
        must(data.place_in_line === place, 'a place in line is the place', { data, lead, place })
        const wait = waitOf(mirror, lead, place)
        must(data.estimated_wait_seconds === wait, 'a wait is told by the calls there were', { data, wait })
      }
    }
  }
}
