/** A faulty deployment: the simulator behind a proxy that breaks one rule, and how to write one. */
import type { Group } from '../../../src/conform/groups.js'
import { jsonOf, type Answer, type Asked, type Fault, type MutatingProxy, type Next } from './mutating-proxy.js'

export interface Mutant {
  /** What is wrong. */
  name: string
  /** The rule it breaks. */
  rule: string
  /** Groups of checks that concern the rule. */
  groups: readonly Group[]
  /** True if the simulator limits requests as it usually does; else the key has high limits. */
  isLimited?: true
  /** True if the run must wait for a retry, which it does only if it may take minutes. */
  isSlow?: true
  /** Limits of the key that are not the usual ones. */
  limits?: Record<string, number>
  /** Makes the fault, with a memory of its own. */
  make: () => Fault
}

export type Body = Record<string, never> & {
  data: Record<string, unknown> & { id: string }
  error: Record<string, unknown>
  meta: { next_cursor: string | null; has_more: boolean }
}

export const lineOf = ({ method, path }: Asked): string => `${method} ${path}`

export const withJson = (answer: Answer, body: unknown, status = answer.status): Answer => ({
  ...answer,
  status,
  body: Buffer.from(JSON.stringify(body)),
})

/** Changes requests whose method and path match. */
export const asking = (line: RegExp, change: (asked: Asked) => void): Fault => ({
  request: (asked, next) => {
    const copy = { ...asked, headers: { ...asked.headers }, query: new URLSearchParams(asked.query) }
    if (line.test(lineOf(asked))) change(copy)
    return next(copy)
  },
})

/** Changes the JSON of a request's body. */
export const sending = (line: RegExp, change: (body: Record<string, unknown>) => void): Fault =>
  asking(line, (asked) => {
    const body = jsonOf(asked.body)
    if (!body) return
    change(body)
    asked.body = Buffer.from(JSON.stringify(body))
  })

/** Replaces replies to requests whose method and path match. */
export const answering = (
  line: RegExp,
  change: (
    answer: Answer,
    asked: Asked,
    next: Next,
    to: MutatingProxy,
  ) => Answer | undefined | Promise<Answer | undefined>,
): Fault => ({
  request: async (asked, next, to) => {
    const answer = await next(asked)
    return line.test(lineOf(asked)) ? ((await change(answer, asked, next, to)) ?? answer) : answer
  },
})

/** Changes the JSON of replies. */
export const replying = (line: RegExp, change: (body: Body, answer: Answer, asked: Asked) => void): Fault =>
  answering(line, (answer, asked) => {
    const body = jsonOf<Body>(answer.body)
    if (!body) return undefined
    const copy = { ...answer }
    change(body, copy, asked)
    return withJson(copy, body)
  })

/** Changes the items of list replies. */
export const listing = (line: RegExp, change: (items: Record<string, unknown>[], body: Body) => unknown[]): Fault =>
  replying(line, (body) => {
    if (Array.isArray(body.data)) body.data = change(body.data, body) as never
  })

export const headers = (line: RegExp, change: (headers: Record<string, string>, answer: Answer) => void): Fault =>
  answering(line, (answer) => {
    const copy = { ...answer, headers: { ...answer.headers } }
    change(copy.headers, copy)
    return copy
  })

export const codeOf = (answer: Answer): unknown => jsonOf<Body>(answer.body)?.error?.['code']
export const every = /^/
export const aLead = /^POST \/(leads|campaigns\/[^/]+\/leads)$/
export const aPage = /^GET \/(leads|calls|dnc|events|campaigns|webhook_endpoints\/[^/]+\/deliveries)$/

/** The same lead in a running campaign that requires no consent, as a dry run. */
export async function rehearsed(asked: Asked, to: MutatingProxy, changes: object): Promise<Answer> {
  const campaigns = jsonOf<{ data: { id: string; consent_required: boolean }[] }>(
    (await to.ask('GET', '/campaigns?status=running')).body,
  )
  const campaign_id = campaigns?.data.find((one) => !one.consent_required)?.id
  return to.ask('POST', '/leads', { ...jsonOf(asked.body), campaign_id, dry_run: true, ...changes })
}

/** Remembers one value of a run by name. */
export const memory = <T>() => new Map<string, T>()

/** Sends files through the proxy, because links lead to the simulator itself. */
export const throughProxy = (change: (file: Answer, asked: Asked) => Answer): Fault => ({
  request: async (asked, next, to) => {
    const answer = await next(asked)
    if (asked.path.startsWith('/storage/')) return change(answer, asked)
    const text = answer.body.toString()
    return text.includes('/storage/') ? { ...answer, body: Buffer.from(text.replaceAll(to.origin, to.url)) } : answer
  },
})
