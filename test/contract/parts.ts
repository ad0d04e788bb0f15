/** Every schema inside a schema, with the path of the value it describes. */
import type { z } from 'zod'

export interface Part {
  /** `leads[].consent`; the value itself is the empty path. */
  path: string
  schema: z.core.$ZodTypes
}

/** The schemas one step further in, each with what it adds to the path. */
function inside(schema: z.core.$ZodTypes): [string, z.core.$ZodType][] {
  const { def } = schema._zod
  switch (def.type) {
    case 'object':
      return Object.entries(def.shape).map(([key, field]) => [`.${key}`, field])
    case 'array':
      return [['[]', def.element]]
    case 'tuple':
      return def.items.map((item, index) => [`[${index}]`, item])
    case 'record':
      return [['.*', def.valueType]]
    case 'union':
      return def.options.map((option) => ['', option])
    case 'pipe':
      return [
        ['', def.in],
        ['', def.out],
      ]
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'nonoptional':
    case 'readonly':
      return [['', def.innerType]]
    default:
      return []
  }
}

export function* parts(schema: z.core.$ZodType, path = ''): Generator<Part> {
  const known = schema as z.core.$ZodTypes
  yield { path: path.replace(/^\./, ''), schema: known }
  for (const [step, part] of inside(known)) yield* parts(part, path + step)
}
