/** The address of a request: the base, a path with its parameters filled in, and a query. */
import { UnsendableError } from './errors.js'

export type QueryValue = string | number | boolean | null | undefined

/** Values that are null or undefined are left out; a list repeats its name. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>

export function buildUrl(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
  }
  return url
}

/** Fills `{name}` places with encoded values. Throws `UnsendableError` for a place that has none. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = params[name] as string | number | undefined
    // A dot segment would be folded away by the URL parser, and another path asked for.
    if (value === undefined || value === '' || value === '.' || value === '..')
      throw new UnsendableError(`"${value ?? ''}" is no ${name} that can be asked for.`)
    return encodeURIComponent(String(value))
  })
}
