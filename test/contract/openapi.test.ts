import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { eventTypes } from '../../src/contract/enums.js'
import { contract, errorsOf } from '../../src/contract/index.js'
import { apiDocument, controlDocument } from '../../src/contract/openapi.js'
import { errorCatalogue } from '../../src/contract/errors/error-codes.js'
import type { ErrorCode } from '../../src/contract/errors/error-codes.js'

const api = apiDocument('https://api.example.com/api/v1/external')
const plane = controlDocument('http://127.0.0.1:4010', '1.2.3')

interface Operation {
  operationId: string
  tags: string[]
  parameters: { $ref?: string; name?: string; in?: string; required?: boolean }[]
  requestBody?: { required: boolean }
  responses: Record<string, { $ref?: string }>
}
interface Response {
  description: string
  headers?: Record<string, unknown>
  content: Record<string, { schema: object }>
  links?: Record<string, { operationId: string; parameters: Record<string, string> }>
}
type Endpoints = Readonly<Record<string, Endpoint>>
type Paths = Record<string, Record<string, Operation>>

const operationOf = (document: typeof api, method: string, path: string): Operation => {
  const found = (document['paths'] as Paths)[path]?.[method.toLowerCase()]
  if (!found) throw new Error(`the document has no ${method} ${path}`)
  return found
}

/** A part of a document that is written in place, or shared and referred to. */
function resolved<T>(document: typeof api, part: { $ref?: string } | undefined): T {
  const steps = part?.$ref?.replace('#/', '').split('/')
  return (steps ? steps.reduce<unknown>((at, step) => (at as Record<string, unknown>)[step], document) : part) as T
}

const responseOf = (document: typeof api, method: string, path: string, status: number | string): Response =>
  resolved(document, operationOf(document, method, path).responses[status])

const schemaOf = (document: typeof api, name: string) =>
  (document['components'] as { schemas: Record<string, Record<string, unknown>> }).schemas[name] ?? {}

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
      const statuses = Object.keys(responses).filter((status) => Number(status) >= 400)
      const listed = statuses.flatMap((status) => {
        const { content, description } = resolved<Response>(api, responses[status])
        const schema = content['application/json']?.schema as { allOf: unknown[] } | undefined
        if (!schema) throw new Error(`${endpoint.method} ${endpoint.path} has no schema for status ${status}`)
        const [, { properties }] = schema.allOf as [
          unknown,
          { properties: { error: { properties: { code: { enum: ErrorCode[] } } } } },
        ]
        const codes = properties.error.properties.code.enum
        for (const code of codes) {
          expect(description).toContain(`\`${code}\``)
          expect(String(errorCatalogue[code].status)).toBe(status)
        }
        return codes
      })
      expect(listed.sort()).toEqual([...errorsOf(endpoint)].sort())
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
      expect(Object.keys(responseOf(api, method, path, 429).headers ?? {})).toContain('Retry-After')
    }
    expect(Object.keys(responseOf(api, 'POST', '/leads', 409).headers ?? {})).toContain('Retry-After')
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
    const transcript = responseOf(api, 'GET', '/calls/{id}/transcript', 200).content
    expect(Object.keys(transcript)).toEqual(['application/json', 'text/plain'])
    const stream = responseOf(plane, 'GET', '/_sim/stream', 200).content
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

  it('promise WWW-Authenticate on 401 and no RateLimit headers', () => {
    for (const { method, path } of Object.values(contract)) {
      const { headers = {} } = responseOf(api, method, path, 401)
      expect(Object.keys(headers)).toEqual(['Request-Id', 'WWW-Authenticate'])
    }
  })

  it('promise 503 on reads as well', () => {
    expect(responseOf(api, 'GET', '/leads/{id}', 503).description).toContain('service_unavailable')
  })

  it('promise Deprecation and Link on the list of calls and nowhere else', () => {
    const promising = Object.values(contract).filter(({ method, path, replies }) =>
      Object.keys(replies).some((status) => 'Deprecation' in (responseOf(api, method, path, status).headers ?? {})),
    )
    expect(promising).toEqual([contract.listCalls])
    expect(responseOf(api, 'GET', '/calls', 200).headers).toHaveProperty('Link')
  })

  it('write calling hours as arrays of two times, with no prefixItems', () => {
    expect(schemaOf(api, 'CallingWindow')).toMatchObject({
      type: 'array',
      items: { $ref: '#/components/schemas/TimeOfDay' },
      minItems: 2,
      maxItems: 2,
    })
    expect(JSON.stringify([api, plane])).not.toContain('prefixItems')
  })

  it.each([
    ['StartCall', ['lead_id'], ['external_id']],
    ['NewConsent', ['source', 'agreed_at', 'text'], ['source', 'agreed_at', 'url']],
  ])('write %s as whole objects, one for each way to send it', (name, ...ways) => {
    const { anyOf, ...rest } = schemaOf(api, name) as {
      anyOf: { type: string; properties: object; required: string[] }[]
    }
    expect(anyOf.map(({ required }) => required)).toEqual(ways)
    for (const { type, properties, required } of anyOf) {
      expect(type).toBe('object')
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(required))
    }
    expect(rest).not.toHaveProperty('properties')
  })

  it('leave the defaults of bodies to their descriptions', () => {
    expect(schemaOf(api, 'NewLead')).toMatchObject({
      properties: { dry_run: { type: 'boolean', description: 'Run every check, save nothing. Default: `false`.' } },
    })
    for (const document of [api, plane]) {
      const { schemas } = document['components'] as { schemas: object }
      expect(JSON.stringify(schemas)).not.toContain('"default":')
      const bodies = Object.values(document['paths'] as Paths).flatMap((item) =>
        Object.values(item).map(({ requestBody }) => requestBody),
      )
      expect(JSON.stringify(bodies)).not.toContain('"default":')
    }
    expect(JSON.stringify(operationOf(api, 'GET', '/leads').parameters)).toContain('"default":20')
  })

  it('tell events apart by their type, each with its own schema', () => {
    const { oneOf, discriminator } = schemaOf(api, 'Event') as {
      oneOf: { $ref: string }[]
      discriminator: { propertyName: string; mapping: Record<string, string> }
    }
    expect(discriminator.propertyName).toBe('type')
    expect(Object.keys(discriminator.mapping)).toEqual(eventTypes)
    expect(Object.values(discriminator.mapping)).toEqual(oneOf.map(({ $ref }) => $ref))
    for (const [type, $ref] of Object.entries(discriminator.mapping)) {
      expect(resolved(api, { $ref })).toHaveProperty('properties.type.const', type)
    }
  })

  it('name every enum', () => {
    const inPlace = (value: unknown, name: string): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([key, inner]) =>
            key === 'enum' && Array.isArray(inner) && inner.length > 2 ? [name] : inPlace(inner, `${name}.${key}`),
          )
    const { schemas } = api['components'] as { schemas: Record<string, { enum?: unknown }> }
    const objects = Object.fromEntries(Object.entries(schemas).filter(([, schema]) => schema.enum === undefined))
    expect(inPlace(objects, 'schemas')).toEqual([])
  })

  it.each([
    ['the API', contract as Endpoints, api],
    ['the control plane', control as Endpoints, plane],
  ])('of %s link what creates to what reads and changes it', (_name, endpoints, document) => {
    const linked: string[] = []
    for (const [name, endpoint] of Object.entries(endpoints)) {
      for (const status of Object.keys(endpoint.replies)) {
        const { links = {} } = responseOf(document, endpoint.method, endpoint.path, status)
        if (Object.keys(links).length > 0) linked.push(name)
        for (const { operationId, parameters } of Object.values(links)) {
          const target = endpoints[operationId]
          if (!target) throw new Error(`${name} links to ${operationId}, which is no operation`)
          const known = operationOf(document, target.method, target.path).parameters
          const required = known.filter((parameter) => parameter.required).map((parameter) => parameter.name)
          expect(Object.keys(parameters)).toEqual(expect.arrayContaining(required))
          expect(known.map((parameter) => parameter.name)).toEqual(expect.arrayContaining(Object.keys(parameters)))
        }
      }
    }
    const creating = Object.entries(endpoints).filter(([, { replies }]) => '201' in replies || '202' in replies)
    const withoutReads = ['receiveText']
    const expected = creating.map(([name]) => name).filter((name) => !withoutReads.includes(name))
    expect(linked).toEqual(expect.arrayContaining(expected))
  })

  it('introduce themselves: version, license, address, and what each tag is about', () => {
    expect(api).toMatchObject({
      info: { version: '2026-10-01', license: { identifier: 'MIT' } },
      servers: [{ url: 'https://api.example.com/api/v1/external' }],
    })
    expect(plane).toMatchObject({ info: { version: '1.2.3' }, servers: [{ url: 'http://127.0.0.1:4010' }] })
    for (const document of [api, plane]) {
      expect(document).toHaveProperty('info.description', expect.stringMatching(/.{50}/))
      for (const tag of document['tags'] as object[]) expect(tag).toHaveProperty('description', expect.any(String))
    }
  })

  it('do not offer the phone in the update of a lead, which is always refused', () => {
    expect(schemaOf(api, 'LeadPatch')['properties']).not.toHaveProperty('phone')
  })

  it('stay small', () => {
    expect(JSON.stringify(api).length).toBeLessThan(150_000)
  })
})
