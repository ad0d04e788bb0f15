/** Runs each kind of task as one step. Some tasks return an effect. */
import { hours, after } from '../kernel/instant.js'
import { playStep } from '../telephony/call-script.js'
import { handleCallEvent } from '../dialing/calls.js'
import { dialFreeLines, scheduleDialing } from '../dialing/dialer.js'
import { markLate, enqueueLead } from '../dialing/lead-transitions.js'
import { deleteExpired } from '../reporting/retention.js'
import { beginAttempt } from '../webhooks/attempts.js'
import { handleFreeLine, applyHoursChange } from '../dialing/waiting-groups.js'
import { sending } from '../model/webhooks/delivery.js'
import type { Task, TaskKind, TaskOf, Effect } from '../model/task.js'
import type { World } from '../model/world.js'

const taskRunners: { [K in TaskKind]: (world: World, task: TaskOf<K>) => Effect | null } = {
  'lead.due': (world, { lead: n, tenant }) => {
    const organization = world.tenant(tenant)
    const lead = organization.leads.get(n)
    enqueueLead(organization, organization.campaign(lead.campaign), lead)
    scheduleDialing(organization, lead.campaign)
    return null
  },
  'lead.late': (world, { lead: n, tenant }) => {
    const organization = world.tenant(tenant)
    markLate(organization, organization.leads.get(n))
    return null
  },
  hours: (world, { campaign, tenant, zone }) => {
    const organization = world.tenant(tenant)
    applyHoursChange(organization, organization.campaign(campaign), zone)
    return null
  },
  lines: (world, { campaign, tenant }) => {
    dialFreeLines(world.tenant(tenant), campaign)
    return null
  },
  'call.beat': (world, { call: n, beat, tenant }) => {
    const organization = world.tenant(tenant)
    const call = organization.calls.get(n)
    const heard = playStep(organization, call, beat)
    handleCallEvent(organization, call, heard)
    if (heard.what === 'ended' && call.campaign !== null) handleFreeLine(organization, call.campaign)
    return null
  },
  'delivery.attempt': (world, { delivery: n, tenant }) => {
    const organization = world.tenant(tenant)
    const delivery = organization.deliveries.get(n)
    if (!delivery) return null
    const reserved = delivery.sending === sending.reserved
    if (!beginAttempt(organization, delivery)) return null
    return { kind: 'send', delivery: n, tenant, endpoint: delivery.endpoint, reserved }
  },
  retention: (world) => {
    deleteExpired(world)
    world.agenda.put('retention', after(world.now, hours(1)), { kind: 'retention' })
    return null
  },
}

/** Runs one task at the current simulated time. */
export function runTask(world: World, task: Task): Effect | null {
  const does = taskRunners[task.kind] as (world: World, task: Task) => Effect | null
  return does(world, task)
}
