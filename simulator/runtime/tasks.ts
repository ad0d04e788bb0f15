/** Runs each kind of task as one step. Some tasks return an effect. */
import { hours, after } from '../kernel/instant.js'
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
  'lead.due': (world, { lead: n, tenant: tenantNumber }) => {
    const tenant = world.tenant(tenantNumber)
    const lead = tenant.leads.get(n)
    enqueueLead(tenant, tenant.campaign(lead.campaign), lead)
    scheduleDialing(tenant, lead.campaign)
    return null
  },
  'lead.late': (world, { lead: n, tenant: tenantNumber }) => {
    const tenant = world.tenant(tenantNumber)
    markLate(tenant, tenant.leads.get(n))
    return null
  },
  hours: (world, { campaign, tenant: tenantNumber, zone }) => {
    const tenant = world.tenant(tenantNumber)
    applyHoursChange(tenant, tenant.campaign(campaign), zone)
    return null
  },
  lines: (world, { campaign, tenant }) => {
    dialFreeLines(world.tenant(tenant), campaign)
    return null
  },
  'call.beat': (world, { call: n, beat, tenant: tenantNumber }) => {
    const tenant = world.tenant(tenantNumber)
    const call = tenant.calls.get(n)
    const heard = world.carrier.playStep(tenant, call, beat)
    handleCallEvent(tenant, call, heard)
    if (heard.what === 'ended' && call.campaign !== null) handleFreeLine(tenant, call.campaign)
    return null
  },
  'delivery.attempt': (world, { delivery: n, tenant: tenantNumber }) => {
    const tenant = world.tenant(tenantNumber)
    const delivery = tenant.deliveries.get(n)
    if (!delivery) return null
    const reserved = delivery.sending === sending.reserved
    if (!beginAttempt(tenant, delivery)) return null
    return { kind: 'send', delivery: n, tenant: tenantNumber, endpoint: delivery.endpoint, reserved }
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
