/** Columns of faults. Requests and webhooks have different fields, so a list says in words what a fault matches and does. */
import type { Fault } from '../../contract/control/faults.js'
import type { ResourceColumns } from './resources.js'

const requestColumns = ['id', 'to', 'method', 'path', 'count', 'latency_ms', 'status', 'code', 'drop', 'after_commit']
const webhookColumns = [
  'id',
  'to',
  'endpoint_id',
  'event',
  'count',
  'duplicate',
  'delay',
  'reorder',
  'drop',
  'corrupt_signature',
  'stale',
]

const fault: ResourceColumns = { name: 'faults', columns: requestColumns, table: requestColumns }
const webhookFault: ResourceColumns = { name: 'webhook faults', columns: webhookColumns, table: webhookColumns }

const waitingFault: ResourceColumns = {
  name: 'faults',
  columns: [...new Set([...requestColumns, ...webhookColumns])],
  table: ['id', 'to', 'matches', 'effect', 'count'],
  computed: {
    to: (item) => (item as Fault).to ?? 'requests',
    matches: (item) => matchesOf(item as Fault),
    effect: (item) => effectsOf(item as Fault).join(', '),
  },
}

export const faultKinds = { fault, webhookFault, waitingFault } as const

/** `POST /leads/**`, or `call.* to 2f6b8c10…`. */
function matchesOf(fault: Fault): string {
  if (fault.to !== 'webhooks') {
    const { method, path } = fault
    return method === undefined && path === undefined ? 'any request' : [method, path].filter(Boolean).join(' ')
  }
  const { event = 'any event', endpoint_id: endpoint } = fault
  return endpoint === undefined ? event : `${event} to ${endpoint.slice(0, shortIdLength)}…`
}

const shortIdLength = 8

function effectsOf(fault: Fault): string[] {
  if (fault.to !== 'webhooks') {
    const { latency_ms, status, code, drop, after_commit } = fault
    const error = [status, code].filter((part) => part !== undefined).join(' ')
    return [
      ...(latency_ms === undefined ? [] : [`${latency_ms / 1000} s late`]),
      ...(error === '' ? [] : [`error ${error}`]),
      ...(drop ? ['cut off'] : []),
      ...(after_commit ? ['after saving'] : []),
    ]
  }
  const { duplicate, delay, stale, reorder, drop, corrupt_signature } = fault
  return [
    ...(duplicate === undefined ? [] : [`${duplicate} more ${duplicate === 1 ? 'copy' : 'copies'}`]),
    ...(delay === undefined ? [] : [`${lengthOf(delay)} late`]),
    ...(stale === undefined ? [] : [`signature ${lengthOf(stale)} old`]),
    ...(reorder ? ['after the next one'] : []),
    ...(drop ? ['lost'] : []),
    ...(corrupt_signature ? ['wrong signature'] : []),
  ]
}

/** `300s`, and a number of seconds, are `5m`. */
function lengthOf(length: string | number): string {
  const seconds = Number(/^(\d+)s?$/.exec(String(length))?.[1] ?? Number.NaN)
  if (Number.isNaN(seconds)) return String(length)
  const [unit, name] = (
    [
      [3600, 'h'],
      [60, 'm'],
    ] as const
  ).find(([size]) => seconds >= size && seconds % size === 0) ?? [1, 's']
  return `${seconds / unit}${name}`
}
