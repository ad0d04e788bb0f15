/** Compares how a deployment and a fresh simulator answered the same requests. */
import type { Check } from '../check.js'
import { parseJson } from '../../client/json.js'
import type { Recorded } from '../requests/recorded.js'
import type { Difference } from './result.js'

/** The exchanges of a run by check. */
export class ExchangeLog {
  readonly #byCheck = new Map<Check, Recorded[]>()

  add(check: Check | null, exchange: Recorded): void {
    if (check === null || exchange.status === 429) return
    this.#byCheck.set(check, [...(this.#byCheck.get(check) ?? []), exchange])
  }

  of(check: Check): readonly Recorded[] {
    return this.#byCheck.get(check) ?? []
  }

  get checks(): Check[] {
    return [...this.#byCheck.keys()]
  }
}

/** Headers that depend on the server in front, on limits or on time. */
const ownHeaders =
  /^(date|connection|keep-alive|content-length|transfer-encoding|server|via|vary|etag|x-.*|cf-.*|strict-transport-security|alt-svc|set-cookie|cache-control|access-control-.*|ratelimit-.*|age|expires|pragma|content-encoding)$/

/** Values that differ between two runs of the same requests. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<id>'],
  [/\b(req|evt|ck_test|ck_live)_[\w-]+/g, '<$1>'],
  [/\bwhsec_[\w-]+/g, '<secret>'],
  [/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>'],
  [/https?:\/\/[^\s"]+/g, '<url>'],
]

const normalizeText = (text: string): string =>
  changing.reduce((masked, [pattern, name]) => masked.replaceAll(pattern, name), text)

/** Differences of the replies to the same requests, at most one a check. */
export function compareRuns(deployment: ExchangeLog, simulator: ExchangeLog): Difference[] {
  return deployment.checks.flatMap((check) => {
    const theirs = deployment.of(check)
    const ours = simulator.of(check)
    for (let index = 0; index < Math.min(theirs.length, ours.length); index++) {
      const [their, our] = [theirs[index], ours[index]]
      if (!their || !our || requestOf(their) !== requestOf(our)) return []
      if (isOlderLead(their, our)) continue
      const [there, here] = [describe(their), describe(our)]
      if (there !== here) {
        const request = `${their.method} ${normalizeText(their.path)}`
        return [{ rule: check.rule, title: check.title, request, ...firstDifference(there, here) }]
      }
    }
    return []
  })
}

/** A fresh simulator accepts a reserved number that the deployment has from an earlier run. */
const isOlderLead = (their: Recorded, our: Recorded): boolean =>
  their.status === 409 && our.status === 201 && their.response.text.includes('"duplicate_lead"')

const requestOf = ({ method, path }: Recorded): string => `${method} ${normalizeText(path)}`

/** A reply as lines: status, names of headers, code of an error, and names and types of fields. */
function describe({ status, response }: Recorded): string {
  const headers = Object.keys(response.headers)
    .filter((name) => !ownHeaders.test(name))
    .sort()
    .map((name) => `header ${name}`)
  return [`status ${status}`, ...headers, ...fieldLines('', parseJson(response.text))].join('\n')
}

/**
 * Error fields are compared by value, data by the names of its fields. Lists may hold other items, and leads other custom
 * fields and consent.
 */
function fieldLines(path: string, value: unknown): string[] {
  if (Array.isArray(value)) return [`${path} list`]
  if (/\.(fields|consent|calling_hours)$/.test(path)) return [`${path} given or not`]
  if (typeof value !== 'object' || value === null) return [`${path} ${leaf(path, value)}`]
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, part]) => fieldLines(path === '' ? name : `${path}.${name}`, part))
}

function leaf(path: string, value: unknown): string {
  if (/^error\.(type|code|param|reason|missing_permission)$/.test(path)) return JSON.stringify(value)
  if (/(^|\.)(object|livemode|dry_run|requeued|deleted)$/.test(path)) return JSON.stringify(value)
  return value === null || typeof value !== 'object' ? 'a value' : 'an object'
}

function firstDifference(deployment: string, simulator: string): Pick<Difference, 'deployment' | 'simulator'> {
  const [there, here] = [deployment.split('\n'), simulator.split('\n')]
  const only = (lines: string[], others: string[]) =>
    lines
      .filter((line) => !others.includes(line))
      .slice(0, 3)
      .join(', ') || 'nothing'
  return { deployment: only(there, here), simulator: only(here, there) }
}
