import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/endpoint.js'
import { eventTypes } from '../../src/contract/words.js'
import { contract, refusalsOf } from '../../src/contract/index.js'
import { openapi } from '../../src/contract/openapi.js'
import { refusals } from '../../src/contract/refusals.js'

const api = openapi(contract, { title: 'Lead calling', version: '1' })
const plane = openapi(control, { title: 'Control plane', version: '1' })

interface Operation {
  operationId: string
  tags: string[]
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean }[]
  requestBody?: { required: boolean }
  responses: Record<string, { description: string; headers: Record<string, unknown>; content: Record<string, unknown> }>
}
type Endpoints = Readonly<Record<string, Endpoint>>
type Paths = Record<string, Record<string, Operation>>

const operationOf = (document: typeof api, method: string, path: string): Operation => {
  const found = (document['paths'] as Paths)[path]?.[method.toLowerCase()]
  if (!found) throw new Error(`the document has no ${method} ${path}`)
  return found
}

async function problems(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const found = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return found
    .filter(({ severity }) => severity === 'error')
    .map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer ?? '?'}`)
}

describe('the OpenAPI documents', () => {
  it.each([
    ['the API', api],
    ['the control plane', plane],
  ])('of %s pass the recommended rules of a linter', async (_name, document) => {
    expect(await problems(document)).toEqual([])
  })

  it('would not pass with a broken reference', async () => {
    const broken = JSON.parse(
      JSON.stringify(api).replace('#/components/schemas/Lead"', '#/components/schemas/Gone"'),
    ) as unknown
    expect(await problems(broken)).toContainEqual(expect.stringContaining('no-unresolved-refs'))
  })

  it.each([
    ['the API', contract as Endpoints, api],
    ['the control plane', control as Endpoints, plane],
  ])('of %s have every endpoint under its own name', (_name, endpoints, document) => {
    for (const [name, { method, path }] of Object.entries(endpoints)) {
      expect(operationOf(document, method, path).operationId).toBe(name)
    }
    const written = Object.values(document['paths'] as Paths).flatMap((item) => Object.values(item))
    expect(written).toHaveLength(Object.keys(endpoints).length)
  })

  it('list every code an endpoint can answer with under its status', () => {
    for (const endpoint of Object.values(contract)) {
      const { responses } = operationOf(api, endpoint.method, endpoint.path)
      for (const code of refusalsOf(endpoint)) {
        expect(responses[refusals[code].status]?.description).toContain(`\`${code}\``)
      }
    }
  })

  it('offer the Idempotency-Key on every write and on nothing else', () => {
    for (const { method, path } of Object.values(contract)) {
      const refs = operationOf(api, method, path).parameters.map(({ $ref }) => $ref)
      expect(refs.includes('#/components/parameters/IdempotencyKey')).toBe(method !== 'GET')
    }
  })

  it('promise Retry-After where the client is to wait', () => {
    for (const { method, path } of Object.values(contract)) {
      const { responses } = operationOf(api, method, path)
      expect(Object.keys(responses['429']?.headers ?? {})).toContain('Retry-After')
    }
    expect(Object.keys(operationOf(api, 'POST', '/leads').responses['409']?.headers ?? {})).toContain('Retry-After')
  })

  it('ask for a body exactly where one must be sent', () => {
    expect(operationOf(api, 'POST', '/leads').requestBody).toMatchObject({ required: true })
    expect(operationOf(api, 'POST', '/leads/{id}/opt_out').requestBody).toMatchObject({ required: false })
    expect(operationOf(api, 'POST', '/campaigns/{id}/start').requestBody).toBeUndefined()
    expect(operationOf(api, 'GET', '/leads').requestBody).toBeUndefined()
  })

  it('ask for the number to check, though the service has an answer of its own when it is missing', () => {
    const [phone] = operationOf(api, 'GET', '/dnc/check').parameters
    expect(phone).toMatchObject({ name: 'phone', in: 'query', required: true })
    expect(phone).not.toHaveProperty('schema.default')
  })

  it('give a transcript as JSON and as text, and the stream as server-sent events', () => {
    const transcript = operationOf(api, 'GET', '/calls/{id}/transcript').responses['200']?.content ?? {}
    expect(Object.keys(transcript)).toEqual(['application/json', 'text/plain'])
    const stream = operationOf(plane, 'GET', '/_sim/stream').responses['200']?.content ?? {}
    expect(Object.keys(stream)).toEqual(['text/event-stream'])
  })

  it('have a webhook for every type of event, in order', () => {
    expect(Object.keys(api['webhooks'] as object)).toEqual(eventTypes)
    expect(plane).not.toHaveProperty('webhooks')
  })

  it('write every named resource once', () => {
    const { schemas } = api['components'] as { schemas: Record<string, object> }
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining([
        'Lead',
        'LeadAccepted',
        'LeadOptOut',
        'Consent',
        'Call',
        'Transcript',
        'RecordingLink',
        'DncEntry',
      ]),
    )
    expect(Object.keys(schemas)).toEqual(
      expect.arrayContaining(['Export', 'Usage', 'WebhookEndpoint', 'WebhookDelivery', 'Event', 'Campaign', 'Error']),
    )
    expect(JSON.stringify(api)).not.toContain('$defs')
  })
})
