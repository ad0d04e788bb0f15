/** Finds the endpoint of the contract that a request addresses. */
import { apiPath } from '../../config/address.js'
import { contract, type EndpointName } from '../../contract/index.js'
import type { Endpoint } from '../../contract/base/endpoint.js'
import type { QueryTexts } from '../../contract/typed-query.js'

export interface Route {
  /** Path below the base path, without the query; null if the request is not for the API. */
  below: string | null
  /** Null for a path or a method that the contract does not have (rule C1). */
  name: EndpointName | null
  endpoint: Endpoint | null
  params: Record<string, string>
  query: QueryTexts
}

interface Pattern {
  name: EndpointName
  endpoint: Endpoint
  parts: readonly string[]
}

const parameterCount = ({ endpoint }: Pattern): number => endpoint.path.split('{').length

/** Path patterns, those with the fewest parameters first. */
const patterns: readonly Pattern[] = (Object.entries(contract) as [EndpointName, Endpoint][])
  .map(([name, endpoint]) => ({ name, endpoint, parts: endpoint.path.split('/') }))
  .sort((a, b) => parameterCount(a) - parameterCount(b))

/** The base path may have a prefix, so its first occurrence counts. */
export function findRoute(method: string, path: string): Route {
  const [address, search] = splitOnce(path, '?')
  const start = `${address}/`.indexOf(`${apiPath}/`)
  const below = start < 0 ? null : address.slice(start + apiPath.length)
  const query = readQuery(search)
  const parts = (below ?? '').split('/')
  const found = patterns.find((pattern) => pattern.endpoint.method === method && fits(pattern, parts))
  if (!found) return { below, name: null, endpoint: null, params: {}, query }
  const params: Record<string, string> = {}
  found.parts.forEach((part, index) => {
    if (part.startsWith('{')) params[part.slice(1, -1)] = decode(parts[index] ?? '')
  })
  return { below, name: found.name, endpoint: found.endpoint, params, query }
}

const fits = ({ parts }: Pattern, sent: readonly string[]): boolean =>
  parts.length === sent.length && parts.every((part, i) => part === sent[i] || (part.startsWith('{') && sent[i] !== ''))

function readQuery(search: string): QueryTexts {
  const query: QueryTexts = {}
  const values = new URLSearchParams(search)
  for (const name of new Set(values.keys())) {
    const all = values.getAll(name)
    query[name] = all.length > 1 ? all : (all[0] ?? '')
  }
  return query
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
