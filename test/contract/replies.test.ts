import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { Event } from '../../src/contract/events.js'
import { contract } from '../../src/contract/index.js'
import { ErrorBody } from '../../src/contract/errors/error-codes.js'
import { parts } from './parts.js'

const repliesOf = (endpoints: Readonly<Record<string, Endpoint>>): [string, z.ZodType][] =>
  Object.entries(endpoints).flatMap(([name, { replies }]) =>
    Object.entries(replies).map(([status, reply]): [string, z.ZodType] => [`${name} ${status}`, reply]),
  )
const apiReplies = repliesOf(contract)
const replies = [...apiReplies, ...repliesOf(control), ...Object.entries({ 'an error': ErrorBody, 'an event': Event })]

/** Each of these gives back something other than what it was given. */
const changing = ['default', 'prefault', 'catch', 'transform', 'pipe', 'nonoptional']

// rule C3
describe('the reply schemas', () => {
  it.each(replies)('of %s give back exactly what they were given', (_name, reply) => {
    for (const { path, schema } of parts(reply)) {
      expect(changing, path).not.toContain(schema._zod.def.type)
      for (const check of schema._zod.def.checks ?? []) expect(check._zod.def.check, path).not.toBe('overwrite')
    }
  })

  it.each(replies)('of %s let fields pass that a later version adds', (_name, reply) => {
    for (const { path, schema } of parts(reply)) {
      if (schema._zod.def.type === 'object') expect(schema._zod.def.catchall, path).toBeUndefined()
    }
  })

  // rule C6
  it.each(apiReplies)('of %s say of every object which mode it is of', (_name, reply) => {
    for (const { path, schema } of parts(reply)) {
      const { def } = schema._zod
      if (/^data(\[\])?$/.test(path) && def.type === 'object') expect(Object.keys(def.shape)).toContain('livemode')
    }
  })
})

describe('a lead inside an event', () => {
  it('may leave livemode out, which a lead in a reply may not', () => {
    const eventLead = Event.options[0].shape.data.shape.object
    const replyLead = contract.getLead.replies[200].shape.data
    expect(eventLead.shape.livemode.safeParse(undefined).success).toBe(true)
    expect(replyLead.shape.livemode.safeParse(undefined).success).toBe(false)
  })
})
