/** Checks every exchange of a run against the contract, and reports what departs by rule. */
import { checkExchange, type Departure } from './exchange/check.js'
import type { Group } from './groups.js'
import type { Masks } from './report/mask.js'
import type { Recorded } from './requests/recorded.js'
import type { CheckResult } from './report/result.js'
import { ruleOf } from './rules.js'

interface ShapeRule {
  group: Group
  title: string
}

/** Rules that every reply must keep. */
export const shapeRules: Readonly<Record<string, ShapeRule>> = {
  C3: { group: 'headers', title: 'Every reply has the shape of its endpoint' },
  C4: { group: 'headers', title: 'Every timestamp of a reply is ISO 8601 in UTC' },
  C5: { group: 'headers', title: 'Every id of a reply has its form' },
  C6: { group: 'headers', title: 'Every object of a reply has the livemode of the key' },
  C7: { group: 'headers', title: 'Every reply has its headers' },
  F1: { group: 'errors', title: 'Every error has the status, type and fields of its code' },
  F2: { group: 'errors', title: 'Every error message masks phone numbers and e-mail addresses' },
}

/** Departures of one rule are shown one for each part that departs, and at most this number. */
const shownMax = 5

interface Found {
  exchange: Recorded
  departure: Departure
}

export class ShapeLog {
  readonly #exchanges: Recorded[] = []
  /** Whether the deployment enforces limits: then every counted reply has RateLimit headers. */
  #isLimited = false

  /** `basePath` is the path of the base URL. */
  constructor(readonly basePath: string) {}

  add(exchange: Recorded): void {
    this.#exchanges.push(exchange)
    const { headers, text } = exchange.response
    const hasHeader = ['limit', 'remaining', 'reset'].some((name) => headers[`ratelimit-${name}`] !== undefined)
    if (hasHeader || (exchange.status === 429 && /"(rate_limited|too_many_concurrent_requests)"/.test(text)))
      this.#isLimited = true
  }

  get isLimited(): boolean {
    return this.#isLimited
  }

  /** One result for each rule that every reply must keep, or one for each part that departs. */
  results(masks: Masks, groups: readonly Group[] | undefined): CheckResult[] {
    const byRule = new Map<string, Found[]>()
    for (const found of this.#departures())
      byRule.set(found.departure.rule, [...(byRule.get(found.departure.rule) ?? []), found])
    const rules = new Set([...Object.keys(shapeRules), ...byRule.keys()])
    return [...rules].flatMap((rule) => {
      const known = shapeRules[rule] ?? { group: 'headers' as const, title: ruleOf(rule).title }
      const found = byRule.get(rule) ?? []
      if (found.length > 0) return found.slice(0, shownMax).map((one) => departs(rule, known, one, masks))
      if (shapeRules[rule] === undefined || !(groups?.includes(known.group) ?? true)) return []
      return [{ rule, ...known, result: 'holds' as const }]
    })
  }

  /** The departures of all replies, each kind once. */
  #departures(): Found[] {
    const seen = new Set<string>()
    return this.#exchanges.flatMap((exchange) => {
      const options = { isLimited: this.#isLimited }
      const departures = checkExchange(exchangeOf(exchange, this.basePath), options).filter(
        ({ where }) => where === 'response',
      )
      return departures.flatMap((departure) => {
        const kind = `${departure.rule} ${departure.at.replaceAll(/\[\d+\]/g, '[]')} ${departure.message}`
        if (seen.has(kind)) return []
        seen.add(kind)
        return [{ exchange, departure }]
      })
    })
  }
}

function departs(rule: string, known: ShapeRule, { exchange, departure }: Found, masks: Masks): CheckResult {
  return {
    rule,
    ...known,
    result: 'departs',
    expected: masks.text(`${departure.at}: ${departure.message}`),
    request: masks.request(exchange),
    response: masks.response(exchange),
  }
}

function exchangeOf({ method, path, request, status, response }: Recorded, basePath: string) {
  const { body } = request
  const lower = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]))
  return {
    method,
    path: basePath + path,
    requestHeaders: lower,
    requestBody: body === undefined ? new Uint8Array() : Buffer.from(body),
    status,
    responseHeaders: response.headers,
    responseBody: Buffer.from(response.text),
  }
}
