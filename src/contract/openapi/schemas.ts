/** The schemas of a document. Named ones are written once under components and referenced elsewhere. */
import * as z from 'zod'
import { rewrite } from './rewrite.js'
import type { Defaults, Json } from './rewrite.js'

export type { Json } from './rewrite.js'

const nameOf = (schema: z.core.$ZodType): string | undefined => z.globalRegistry.get(schema)?.id

/** Names the property that distinguishes the members of a union, if every member is a named object. */
function addDiscriminator(schema: z.core.$ZodTypes, jsonSchema: Record<string, unknown>): void {
  const { def } = schema._zod
  if (def.type !== 'union' || !('discriminator' in def)) return
  const { discriminator: propertyName, options } = def as z.core.$ZodDiscriminatedUnionDef
  const mapping: Record<string, string> = {}
  for (const option of options) {
    const name = nameOf(option)
    for (const value of option._zod.propValues?.[propertyName] ?? []) {
      if (typeof value !== 'string' || name === undefined) return
      mapping[value] = `#/$defs/${name}`
    }
  }
  jsonSchema['discriminator'] = { propertyName, mapping }
}

export class Schemas {
  /** Schemas by name. */
  readonly named: Record<string, Json> = {}

  /**
   * The JSON Schema of a zod schema from the client's view: values with a default are optional, and objects in
   * replies may have additional fields.
   */
  of(schema: z.ZodType, defaults: Defaults = 'described'): Json {
    // Wrapped in an object, so that a named schema becomes a reference.
    const wrapped = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      override: ({ zodSchema, jsonSchema }) => addDiscriminator(zodSchema, jsonSchema),
    })
    // A copy, because zod shares repeated parts.
    const text = JSON.stringify(wrapped).replaceAll('"#/$defs/', '"#/components/schemas/')
    const written = JSON.parse(text) as { properties: { it: Json }; $defs?: Record<string, Json> }
    rewrite(written, defaults)
    Object.assign(this.named, written.$defs)
    return written.properties.it
  }
}
