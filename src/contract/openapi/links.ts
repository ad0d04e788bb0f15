/** Links from each creating operation to the operations that read or change the new object. */
import type { Endpoint } from '../base/endpoint.js'
import type { ControlName } from '../control.js'
import type { EndpointName } from '../index.js'
import type { Json } from './schemas.js'

type Name = EndpointName | ControlName
/** Parameters of an operation, each with the JSON pointer of its value in the creating operation's reply. */
type Values = Readonly<Record<string, string>>

interface Made {
  /** Links every operation at or below this path if all its path parameters are known. */
  path?: string
  by?: Values
  /** Also links operations that take the new object's id as a query parameter. */
  lists?: Partial<Record<Name, Values>>
}

const linksToLead = (id: string): Made => ({ path: '/leads/{id}', by: { id }, lists: { listCalls: { lead_id: id } } })
const delivery: Made = {
  path: '/webhook_endpoints/{id}/deliveries',
  by: { id: '/data/endpoint_id', delivery_id: '/data/id' },
}

const made: Partial<Record<Name, Made>> = {
  createLead: linksToLead('/data/id'),
  createCampaignLead: linksToLead('/data/id'),
  createLeads: linksToLead('/data/results/0/lead/id'),
  createCampaignLeads: linksToLead('/data/results/0/lead/id'),
  startCall: linksToLead('/data/lead_id'),
  addDnc: { path: '/dnc/{id}', by: { id: '/data/id' }, lists: { checkDnc: { phone: '/data/phone' } } },
  createExport: { lists: { listExports: {} } },
  createWebhookEndpoint: { path: '/webhook_endpoints/{id}', by: { id: '/data/id' } },
  testWebhookEndpoint: delivery,
  resendDelivery: delivery,

  createOrganization: { path: '/_sim/organizations/{id}', by: { id: '/data/id' } },
  createKey: { path: '/_sim/keys/{key_id}', by: { key_id: '/data/key_id' } },
  createCampaign: { path: '/_sim/campaigns/{id}', by: { id: '/data/id' } },
  loadLeads: { path: '/_sim/leads/{id}', by: { id: '/data/ids/0' } },
  receiveCall: { path: '/_sim/calls/{id}', by: { id: '/data/id' } },
  createSnapshot: { path: '/_sim/snapshots/{name}', by: { name: '/data/name' } },
  createWorld: { path: '/_sim/worlds/{id}', by: { id: '/data/id' } },
  setScript: { lists: { removeScript: { phone: '/data/phone' } } },
  addFault: { path: '/_sim/faults/{id}', by: { id: '/data/id' }, lists: { removeFaults: {} } },
}

/** The links of an operation's reply, by the name of the linked operation. */
export function linksOf(name: string, endpoints: Readonly<Record<string, Endpoint>>): Json {
  const { path, by = {}, lists = {} } = made[name as Name] ?? {}
  const links: Record<string, Json> = {}
  const link = (operationId: string, values: Values) => {
    const parameters = Object.entries(values).map(([parameter, pointer]) => [parameter, `$response.body#${pointer}`])
    links[operationId] = { operationId, parameters: Object.fromEntries(parameters) as Json }
  }
  for (const [operation, endpoint] of Object.entries(endpoints)) {
    if (operation === name || path === undefined || !isBelow(endpoint, path)) continue
    const needed = parametersOf(endpoint)
    if (!needed.every((parameter) => parameter in by)) continue
    link(operation, Object.fromEntries(needed.map((parameter) => [parameter, by[parameter] ?? ''])))
  }
  for (const [operation, values] of Object.entries(lists)) link(operation, values)
  return links
}

/** The control plane has some paths of the API below `/_sim`. */
const isBelow = (endpoint: Endpoint, path: string): boolean =>
  endpoint.path.startsWith(path) || endpoint.path.startsWith(`/_sim${path}`)

const parametersOf = ({ path }: Endpoint): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
