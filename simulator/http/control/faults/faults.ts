/** Control routes that inject and clear faults. */
import type { Fault, NewRequestFault, NewWebhookFault } from '../../../../src/contract/control/faults.js'
import { eventTypes, webhookFaults } from '../../../../src/contract/enums.js'
import { ApiError } from '../../../../src/contract/errors/error-codes.js'
import { advanceWithinDays } from '../../../../src/contract/limits.js'
import { days, parseDuration, seconds, writeDuration, type Duration } from '../../../kernel/instant.js'
import type { WebhookFault, WebhookFaultRule } from '../../../webhooks/webhook-faults.js'
import { modes } from '../../../model/api-key.js'
import { tenantNumberOf } from '../../../model/organization.js'
import type { World } from '../../../model/world.js'
import { replyCreated, replyOk, type ControlHandlers } from '../../handler.js'
import { inAnyTenant, type ControlContext } from '../context.js'
import { compileGlob } from './glob.js'

export function faultHandlers(
  context: ControlContext,
): Pick<ControlHandlers, 'addFault' | 'listFaults' | 'removeFault' | 'removeFaults'> {
  const { faults, webhookFaults, steps, world } = context
  return {
    addFault: ({ body }) => {
      if (body.to !== 'webhooks') return replyCreated({ ...body, id: faults.add(checkFault(body)) })
      const rule = steps.read(() => ruleOf(context, body))
      const id = webhookFaults.add(rule)
      // As the list of faults shows it, with its lengths in one form.
      return replyCreated(steps.read(() => describeRule(world, { ...rule, id })))
    },
    listFaults: () => ({ status: 200, body: { data: steps.read(() => listFaults(context)) } }),
    removeFault: ({ params: { id } }) => {
      const found = steps.read(() => listFaults(context)).find((fault) => fault.id === id)
      if (!found) throw new ApiError('not_found', 'There is no such fault. It may have affected its requests.')
      faults.remove(id)
      webhookFaults.remove(id)
      return replyOk(found)
    },
    removeFaults: () => {
      const removed = faults.clear() + webhookFaults.clear()
      steps.step(() => webhookFaults.release())
      return replyOk({ removed })
    },
  }
}

function listFaults({ faults, webhookFaults, world }: ControlContext): Fault[] {
  return [...faults.list(), ...webhookFaults.list().map((rule) => describeRule(world, rule))]
}

function describeRule(world: World, { id, fault, count, endpoint, event }: WebhookFaultRule): Fault {
  const { name, copies = 1, by = seconds(0) } = fault
  const value = name === 'duplicate' ? copies : name === 'delay' || name === 'stale' ? writeDuration(by) : true
  const endpoint_id = endpoint === null ? undefined : endpointId(world, endpoint)
  return {
    id,
    to: 'webhooks',
    count,
    [name]: value,
    ...(endpoint_id !== undefined && { endpoint_id }),
    ...(event !== null && { event }),
  }
}

const endpointId = (world: World, n: number): string | undefined =>
  world.organizations
    .all()
    .flatMap((one) => modes.map((mode) => world.tenant(tenantNumberOf(one.n, mode)).endpoints))
    .find((endpoints) => endpoints.get(n))
    ?.id(n)

function checkFault(fault: NewRequestFault): NewRequestFault {
  const { latency_ms, status, code, drop } = fault
  if (latency_ms !== undefined || status !== undefined || code !== undefined || drop) return fault
  throw new ApiError('invalid_request', 'Send a fault: latency_ms, status, code, or drop.')
}

function ruleOf(context: ControlContext, body: NewWebhookFault): Omit<WebhookFaultRule, 'id'> {
  const { endpoint_id: id, event: wanted, count } = body
  const event = wanted ?? '**'
  const matchesEvent = compileGlob(event)
  if (!eventTypes.some(matchesEvent)) {
    const types = eventTypes.join(', ')
    throw new ApiError('invalid_request', `event: no event is called ${event}. The types are ${types}.`, {
      param: 'event',
    })
  }
  const fault = faultOf(body)
  const endpoint = id === undefined ? null : endpointNumber(context, id)
  return { fault, count, endpoint, matchesEvent, event: wanted ?? null }
}

const endpointNumber = (context: ControlContext, id: string): number =>
  inAnyTenant(context, 'webhook endpoint', ({ endpoints }) => endpoints.byId(id)).row.n

function faultOf(body: NewWebhookFault): WebhookFault {
  const [name, ...others] = webhookFaults.filter((one) => body[one] !== undefined)
  if (name === undefined || others.length > 0) {
    throw new ApiError('invalid_request', `Send exactly one fault: ${webhookFaults.join(', ')}.`)
  }
  if (name === 'duplicate') return { name, copies: body.duplicate ?? 1 }
  if (name === 'delay' || name === 'stale') return { name, by: lengthOf(name, String(body[name])) }
  return { name }
}

/** Parses a duration of at most the usual longest advance. */
function lengthOf(param: string, text: string): Duration {
  const length = parseDuration(text)
  if (length !== null && length > 0 && length <= days(advanceWithinDays)) return length
  throw new ApiError('invalid_request', `${param}: send a length above 0 and up to ${advanceWithinDays}d.`, { param })
}
