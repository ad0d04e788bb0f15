/** Builds the URL of a request from the base, a path with parameters, and a query. */
import { UnsendableError } from './errors.js'

export type QueryValue = string | number | boolean | null | undefined

/** Null and undefined are left out. A list repeats its name. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>

export function buildUrl(baseUrl: string, path: string, query: Query = {}): URL {
  const url = new URL(baseUrl + path)
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined && one !== null) url.searchParams.append(name, String(one))
  }
  return url
}

/** Fills `{name}` with encoded values. Throws `UnsendableError` if a value is missing. */
export function fillPath(path: string, params: Readonly<Record<string, unknown>> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_place, name: string) => {
    const value = params[name] as string | number | undefined
    // The URL parser would remove a dot segment and change the path.
    if (value === undefined || value === '' || value === '.' || value === '..')
      throw new UnsendableError(`"${value ?? ''}" is not a valid ${name}.`)
    return encodeURIComponent(String(value))
  })
}
