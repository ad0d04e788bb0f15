/** Builds the URL of a request from the base, a path with parameters, and a query. */
import { UnsendableError } from './errors.js'

export type QueryValue = string | number | boolean | null | undefined

/** Null and undefined are left out. A list repeats its name. */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[]>>

/** A `.` or `..`, also encoded. The URL parser resolves it, and removes tabs and line breaks before it does. */
const dotSegment = /^(?:\.|%2e){1,2}$/i

/** Throws `UnsendableError` if the path could leave the base address. */
export function buildUrl(baseUrl: string, path: string, query: Query = {}): URL {
  const [segments = ''] = path.replaceAll(/[\t\n\r]/g, '').split(/[?#]/)
  if (!segments.startsWith('/') || segments.split(/[/\\]/).some((segment) => dotSegment.test(segment)))
    throw new UnsendableError(
      `The path ${JSON.stringify(path)} contains a . or .. segment, which could leave the base address.`,
    )
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
