/** What each kind of task does: hands it to the service or to the outside. One step each; some ask for an effect. */
import { hours, after } from '../kernel/instant.js'
import { playBeat } from '../telephony/call-script.js'
import { hear } from '../dialing/calls.js'
import { fillLines, fillLinesAtLast } from '../dialing/dialer.js'
import { becomeLate, place } from '../dialing/lead-transitions.js'
import { sweep } from '../reporting/retention.js'
import { begin } from '../webhooks/attempts.js'
import { lineFreed, turnHours } from '../dialing/waiting-groups.js'
import { sending } from '../model/delivery.js'
import type { Effect } from '../model/effect.js'
import type { Task, TaskKind, TaskOf } from '../model/task.js'
import type { World } from '../model/world.js'

const tasks: { [K in TaskKind]: (world: World, task: TaskOf<K>) => Effect | null } = {
  'lead.due': (world, { lead: n, tenant }) => {
    const organization = world.organization(tenant)
    const lead = organization.leads.get(n)
    place(organization, organization.campaign(lead.campaign), lead)
    fillLinesAtLast(organization, lead.campaign)
    return null
  },
  'lead.late': (world, { lead: n, tenant }) => {
    const organization = world.organization(tenant)
    becomeLate(organization, organization.leads.get(n))
    return null
  },
  hours: (world, { campaign, tenant, zone }) => {
    const organization = world.organization(tenant)
    turnHours(organization, organization.campaign(campaign), zone)
    return null
  },
  lines: (world, { campaign, tenant }) => {
    fillLines(world.organization(tenant), campaign)
    return null
  },
  'call.beat': (world, { call: n, beat, tenant }) => {
    const organization = world.organization(tenant)
    const call = organization.calls.get(n)
    const heard = playBeat(organization, call, beat)
    hear(organization, call, heard)
    if (heard.what === 'ended' && call.campaign !== null) lineFreed(organization, call.campaign)
    return null
  },
  'delivery.attempt': (world, { delivery: n, tenant }) => {
    const organization = world.organization(tenant)
    const delivery = organization.deliveries.get(n)
    if (!delivery) return null
    const reserved = delivery.sending === sending.reserved
    if (!begin(organization, delivery)) return null
    return { kind: 'send', delivery: n, tenant, endpoint: delivery.endpoint, reserved }
  },
  retention: (world) => {
    sweep(world)
    world.agenda.put('retention', after(world.now, hours(1)), { kind: 'retention' })
    return null
  },
}

/** Runs one task in the world as it is at this moment. */
export function run(world: World, task: Task): Effect | null {
  const does = tasks[task.kind] as (world: World, task: Task) => Effect | null
  return does(world, task)
}
