import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { contract } from '../../src/contract/index.js'
import { noBody } from '../../src/contract/base/empty-body.js'
import { parts } from './parts.js'
import { apiBodies, controlBodies } from './samples.js'

type Value = Record<string, unknown>
const endpoints: Readonly<Record<string, Endpoint>> = { ...contract, ...control }
const bodies: Readonly<Record<string, Value>> = { ...apiBodies, ...controlBodies }
const isObject = (value: unknown): value is Value =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The path of every object in a value, without custom fields. */
function objectPaths(value: unknown, path: (string | number)[] = []): (string | number)[][] {
  if (path.at(-1) === 'fields') return []
  if (Array.isArray(value)) return value.flatMap((item, index) => objectPaths(item, [...path, index]))
  if (!isObject(value)) return []
  return [path, ...Object.entries(value).flatMap(([key, field]) => objectPaths(field, [...path, key]))]
}

function plant(value: Value, path: (string | number)[]): Value {
  const copy = structuredClone(value)
  const target = path.reduce<unknown>((at, step) => (at as Value)[step], copy)
  Object.assign(target as Value, { surprise: 1 })
  return copy
}

const written = (path: (string | number)[]) =>
  path.reduce<string>((text, step) => text + (typeof step === 'number' ? '[]' : `${text ? '.' : ''}${step}`), '')

/** An object that a text can stand for; a problem in it is one of the union. */
const orText = new Set(['from'])

const schemaObjects = (schema: z.ZodType) => {
  const objects = [...parts(schema)].filter((part) => part.schema._zod.def.type === 'object').map(({ path }) => path)
  return new Set(objects.filter((path) => !orText.has(path)))
}

const problemsOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? []

describe('bodies', () => {
  it('are all tried here', () => {
    const taking = Object.keys(endpoints).filter((name) => endpoints[name]?.body !== noBody)
    expect(Object.keys(bodies).sort()).toEqual(taking.sort())
  })

  it('are an empty object at most where none is taken', () => {
    expect(noBody.safeParse(undefined).success).toBe(true)
    expect(noBody.safeParse({}).success).toBe(true)
    expect(problemsOf(noBody, { surprise: 1 })[0]).toMatchObject({ code: 'unrecognized_keys' })
  })

  it.each(Object.entries(bodies))(
    'of %s are taken with everything in them, and with nothing unknown anywhere',
    (name, body) => {
      const schema = endpoints[name]?.body ?? noBody
      expect(problemsOf(schema, body)).toEqual([])
      const paths = objectPaths(body)
      expect(new Set(paths.map(written))).toEqual(schemaObjects(schema))
      for (const path of paths) {
        const [problem] = problemsOf(schema, plant(body, path))
        expect(problem, written(path)).toMatchObject({ code: 'unrecognized_keys', keys: ['surprise'], path })
      }
    },
  )
})

describe('where everything in a body is optional', () => {
  it.each([
    ['optOutLead', {}],
    ['rollSecret', { grace_hours: 24 }],
    ['resumeWebhookEndpoint', { resend_skipped: false }],
    ['reset', {}],
  ])('%s takes no body at all', (name, meant) => {
    expect(endpoints[name]?.body.parse(undefined)).toEqual(meant)
  })
})
