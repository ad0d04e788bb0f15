import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routes } from '../../../src/client/routes.js'
import { hasReplyShape } from '../../../src/client/shape.js'
import { cursorNameOf } from '../../../src/client/client.js'
import { dataReply } from '../../../src/contract/base/page.js'
import { RequestFault, WebhookFault } from '../../../src/contract/control/faults.js'
import { control } from '../../../src/contract/control.js'
import type { Endpoint } from '../../../src/contract/base/endpoint.js'
import { contract, type EndpointName } from '../../../src/contract/index.js'
import { controlColumns } from '../../../src/output/columns/control.js'
import { resourceColumns, type ResourceColumns } from '../../../src/output/columns/resources.js'
import { resultColumns } from '../../../src/output/columns/results.js'

const names = Object.keys(contract) as EndpointName[]

describe('what the client knows by heart', () => {
  it('is every route of the contract', () => {
    const ofContract = Object.fromEntries(
      names.map((name) => [name, { method: contract[name].method, path: contract[name].path }]),
    )
    expect(routes).toEqual(ofContract)
  })

  it('is which endpoints give a list, which an object and which text', () => {
    for (const [name, { replies }] of Object.entries(contract) as [string, Endpoint][]) {
      const types = Object.values(replies).flatMap(dataTypes)
      const taken = [
        ...(hasReplyShape(name, undefined, { data: [{ id: '1' }] }) ? ['array'] : []),
        ...(hasReplyShape(name, { external_id: '1' }, { data: { id: '1' } }) ? ['object'] : []),
        ...(hasReplyShape(name, undefined, 'text') ? ['string'] : []),
      ]
      expect([name, ...taken.sort()]).toEqual([name, ...new Set(types.sort())])
    }
  })

  it.each(names.filter((name) => contract[name].method === 'GET'))('is what %s calls its cursor', (name) => {
    const query: z.ZodType = contract[name].query
    const cursors = fieldsOf(query).filter((field) => field === 'cursor' || field === 'starting_after')
    if (cursors.length > 0) expect([cursorNameOf(contract[name].path)]).toEqual(cursors)
  })
})

/** The kinds that show an object of the API, with an endpoint that answers it. */
const shown: readonly (readonly [ResourceColumns, z.ZodType])[] = [
  [resourceColumns.lead, contract.getLead.replies[200]],
  [resourceColumns.acceptedLead, contract.createLead.replies[201]],
  [resourceColumns.call, contract.getCall.replies[200]],
  [resourceColumns.acceptedCall, contract.startCall.replies[202]],
  [resourceColumns.dncEntry, contract.addDnc.replies[201]],
  [resourceColumns.dncCheck, contract.checkDnc.replies[200]],
  [resourceColumns.campaign, contract.getCampaign.replies[200]],
  [resourceColumns.webhookEndpoint, contract.getWebhookEndpoint.replies[200]],
  [resourceColumns.newWebhookEndpoint, contract.createWebhookEndpoint.replies[201]],
  [resourceColumns.recording, contract.getRecording.replies[200]],
  [resourceColumns.optedOutLead, contract.optOutLead.replies[200]],
  [resourceColumns.resumedWebhookEndpoint, contract.resumeWebhookEndpoint.replies[200]],
  [resourceColumns.delivery, contract.resendDelivery.replies[202]],
  [resourceColumns.sampleDelivery, contract.testWebhookEndpoint.replies[202]],
  [resourceColumns.clock, control.advanceClock.replies[200]],
  [controlColumns.key, control.createKey.replies[201]],
  [controlColumns.organization, control.createOrganization.replies[201]],
  [controlColumns.fault, dataReply(RequestFault)],
  [controlColumns.webhookFault, dataReply(WebhookFault)],
  [controlColumns.script, control.setScript.replies[201]],
  [controlColumns.health, control.getHealth.replies[200]],
  [controlColumns.text, control.receiveText.replies[202]],
  [controlColumns.dncBatch, control.addDncInApp.replies[200]],
  [controlColumns.snapshot, control.createSnapshot.replies[201]],
]

/** `object` says nothing that the command did not. */
const unsaid = new Set(['object'])

const heads = (columns: readonly string[]) =>
  [...new Set(columns.map((column) => column.split('.')[0] ?? column))].sort()

it.each(shown)('the columns of kind %# are all fields the API has', (kind, reply) => {
  const fields = fieldsOf(reply, 'data').filter((field) => !unsaid.has(field))
  expect(heads(kind.columns)).toEqual(fields.sort())
})

const fixed = Object.entries({ ...resourceColumns, ...resultColumns, ...controlColumns }).filter(
  (entry): entry is [string, ResourceColumns] => 'columns' in entry[1],
)

it.each(fixed)('the table of %s shows some of its columns', (_name, kind) => {
  const known = [...kind.columns, ...Object.keys(kind.computed ?? {})]
  expect(heads(known)).toEqual(expect.arrayContaining(heads(kind.table)))
})

/** The names of the fields an object schema has, below the given ones. */
function fieldsOf(schema: z.ZodType, ...below: string[]): string[] {
  const document = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  let part = resolved(document, document)
  for (const name of below) part = resolved(part.properties?.[name] ?? {}, document)
  return Object.keys(part.properties ?? {})
}

/** The kind of a reply: `array` or `object`, as under `data`, or `string`. */
function dataTypes(reply: z.ZodType): string[] {
  const document = z.toJSONSchema(reply, { io: 'input', unrepresentable: 'any' }) as JsonSchema
  const whole = resolved(document, document)
  return (whole.anyOf ?? [whole]).map((one) => {
    const part = resolved(one, document)
    const data = part.properties?.['data']
    return (data ? resolved(data, document).type : part.type) ?? 'object'
  })
}

interface JsonSchema {
  type?: string
  anyOf?: JsonSchema[]
  $ref?: string
  $defs?: Record<string, JsonSchema>
  properties?: Record<string, JsonSchema>
}

function resolved(part: JsonSchema, { $defs = {} }: JsonSchema): JsonSchema {
  return part.$ref ? ($defs[part.$ref.replace('#/$defs/', '')] ?? {}) : part
}
