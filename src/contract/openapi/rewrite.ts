/** Rewrites zod's JSON Schema into forms that generators, proxies and people read well. */

export type Json = Readonly<Record<string, unknown>>
type Schema = Record<string, unknown>

/**
 * Whether a default stays in the schema or moves to the description. Generated clients make a property with a default
 * required.
 */
export type Defaults = 'kept' | 'described'

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Rewrites a schema and every schema inside it, inner ones first. */
export function rewrite(schema: Schema, defaults: Defaults): void {
  for (const inner of innerSchemas(schema)) rewrite(inner, defaults)
  trim(schema)
  dropHidden(schema)
  writeUniformTuple(schema)
  if (defaults === 'described') describeDefault(schema)
  writeAlternatives(schema)
}

function innerSchemas(schema: Schema): Schema[] {
  const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'].map((keyword) => (schema[keyword] ?? []) as unknown[])
  const maps = ['properties', '$defs'].map((keyword) => Object.values((schema[keyword] ?? {}) as Schema))
  return [...lists.flat(), ...maps.flat(), schema['items'], schema['additionalProperties']].filter(isSchema)
}

/** Removes patterns that repeat a format, limits of safe integers, and the rule that property names are strings. */
function trim(schema: Schema): void {
  if (schema['format'] !== undefined) delete schema['pattern']
  if (schema['minimum'] === Number.MIN_SAFE_INTEGER) delete schema['minimum']
  if (schema['maximum'] === Number.MAX_SAFE_INTEGER) delete schema['maximum']
  delete schema['propertyNames']
}

/** Removes properties that exist only to be refused with their own error. */
function dropHidden(schema: Schema): void {
  const properties = (schema['properties'] ?? {}) as Record<string, Schema>
  for (const [name, property] of Object.entries(properties)) if (property['x-hidden']) delete properties[name]
}

/** Writes a tuple of equal items as an array of that length. Few tools read `prefixItems`. */
function writeUniformTuple(schema: Schema): void {
  const items = schema['prefixItems'] as Schema[] | undefined
  if (!items?.every((item) => JSON.stringify(item) === JSON.stringify(items[0]))) return
  delete schema['prefixItems']
  Object.assign(schema, { items: items[0], minItems: items.length, maxItems: items.length })
}

function describeDefault(schema: Schema): void {
  const { default: usual, description } = schema as { default?: string | number | boolean; description?: string }
  delete schema['default']
  if (usual === undefined || typeof usual === 'object') return
  const sentence = `Default: \`${String(usual)}\`.`
  schema['description'] = description === undefined ? sentence : `${description} ${sentence}`
}

/**
 * Writes an object with alternatives (`anyOf` or `oneOf` of `{ title, required }`) as several complete objects.
 * Generators turn the short form into `unknown`. An alternative may also narrow properties.
 */
function writeAlternatives(schema: Schema): void {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const alternatives = schema[keyword] as Schema[] | undefined
    if (schema['properties'] === undefined || !alternatives) continue
    const { [keyword]: _alternatives, description, ...whole } = schema
    for (const name of Object.keys(whole)) delete schema[name]
    schema[keyword] = alternatives.map((alternative) => alternativeOf(whole, alternative))
    if (description !== undefined) schema['description'] = description
  }
}

function alternativeOf(whole: Schema, { title, required = [], properties = {} }: Schema): Schema {
  const names = [...((whole['required'] ?? []) as string[]), ...(required as string[])]
  const narrowed = Object.entries(properties as Record<string, Schema>).map(([name, words]): [string, Schema] => [
    name,
    { ...(whole['properties'] as Record<string, Schema>)[name], ...words },
  ])
  return {
    title,
    ...whole,
    properties: { ...(whole['properties'] as object), ...Object.fromEntries(narrowed) },
    required: names,
  }
}
