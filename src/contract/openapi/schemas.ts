/** The schemas of a document: named ones are written once, under components, and referred to from everywhere else. */
import { z } from 'zod'

export type Json = Readonly<Record<string, unknown>>

/** What zod writes beyond need: a format says it all, and no integer here comes near the safe ones' ends. */
function trim(schema: Record<string, unknown>): void {
  if (schema['format'] !== undefined) delete schema['pattern']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  delete schema['propertyNames']
}

export class Schemas {
  /** By name. */
  readonly named: Record<string, Json> = {}

  /**
   * The JSON Schema of a zod schema, as the other side sees it: defaults may be left out, and an object of a reply may
   * have more fields than it had when the document was written.
   */
  of(schema: z.ZodType): Json {
    // Inside an object the schema itself is a reference too where it has a name.
    const wrapped = z.toJSONSchema(z.object({ it: schema }), {
      io: 'input',
      override: ({ jsonSchema }) => trim(jsonSchema),
    })
    const text = JSON.stringify(wrapped).replaceAll('"#/$defs/', '"#/components/schemas/')
    const { properties, $defs = {} } = JSON.parse(text) as { properties: { it: Json }; $defs?: Record<string, Json> }
    Object.assign(this.named, $defs)
    return properties.it
  }
}
