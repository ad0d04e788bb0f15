/** Generates one request from its endpoint's contract, and then spoils its method, path, headers or body. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import type { z } from 'zod'
import { control } from '../../src/contract/control.js'
import type { Endpoint } from '../../src/contract/base/endpoint.js'
import { basePath } from '../../simulator/http/api-routes.js'
import { contract } from '../../src/contract/index.js'
import { apiBodies, controlBodies } from '../contract/samples.js'
import { spoiled } from './spoil.js'
import { jsonOf, text } from './values.js'

/** `@{name}` is replaced by an id or value of the target when the request is sent. */
export interface Shot {
  /** `page` is everything else: documents, signed links, and paths that do not exist. */
  plane: 'api' | 'control' | 'page'
  method: string
  /** With the query. */
  path: string
  headers: [name: string, value: string][]
  /** Headers that a browser adds for a page of another origin. Empty for requests of a program. */
  foreign: [name: string, value: string][]
  body: string
  /** How the text of the body is encoded. */
  encoding: Encoding
  /** In one piece, in many, in HTTP chunks, or ending within the body. */
  sent: 'whole' | 'in pieces' | 'in chunks' | 'broken off'
}

export type Encoding = 'utf8' | 'latin1' | 'utf16le' | 'gzip' | 'with a mark' | 'cut short' | 'twice'

const stars = (part: string) => [1, 31, 32, 33, 66, 99, 100, 101].map((times) => part.repeat(times))
const glob = fc.constantFrom(
  ...[
    '**',
    '*',
    '?',
    '/leads*',
    '/leads/**',
    'lead.*',
    'call.*,world.replaced',
    '*a/**/*a',
    '',
    ',',
    ',,,',
    '[a-z]{9}',
    '(a+)+$',
  ],
  ...['*a', '**a', '?*', '**/', '\\*', 'a,'].flatMap(stars),
)

const usualText: Readonly<Record<string, fc.Arbitrary<string>>> = {
  lead_id: fc.constantFrom('@{lead}', '@{foreignLead}'),
  campaign_id: fc.constantFrom('@{campaign}', '@{campaign}', '@{second}', '@{foreignCampaign}'),
  campaignId: fc.constant('@{campaign}'),
  organization_id: fc.constant('@{organization}'),
  external_id: fc.nat(20).map((n) => `crm-${n}`),
  phone: fc.nat(9999).map((n) => `+1212736${String(n).padStart(4, '0')}`),
  from: fc.nat(9999).map((n) => `+1212736${String(n).padStart(4, '0')}`),
  url: fc.constant('https://127.0.0.1:1/hook'),
  path: glob,
  event: glob,
}
const usualList: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  campaign_ids: fc.constant(['@{campaign}']),
  phones: fc.nat(9999).map((n) => [`+1212736${String(n).padStart(4, '0')}`]),
  // Events that few leads cause: an endpoint sends only ten per second.
  events: fc.constant(['lead.late']),
}

/** A sample with existing ids and varying numbers. */
function living(sample: unknown, name = ''): fc.Arbitrary<unknown> {
  if (typeof sample === 'string') return usualText[name] ?? fc.constant(sample)
  if (Array.isArray(sample)) return usualList[name] ?? fc.tuple(...sample.map((one) => living(one)))
  if (typeof sample !== 'object' || sample === null) return fc.constant(sample)
  const fields = Object.entries(sample).map(([key, inside]) => [key, living(inside, key)] as const)
  return fc.record(Object.fromEntries(fields))
}

const samples: Readonly<Record<string, object>> = { ...apiBodies, ...controlBodies }

const body = (name: string): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 12, arbitrary: spoiled(living(samples[name] ?? {}) as fc.Arbitrary<object>).map(jsonOf) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '[]', 'null', '"x"', '{', '{}', '{}{}', '{"a":1,"a":1}') },
  )

/** The values of an enumeration, inside any wrapper types. */
function wordsOf(schema: z.ZodType): string[] {
  const { def } = schema as unknown as { def: { innerType?: z.ZodType; entries?: Record<string, string> } }
  return def.innerType ? wordsOf(def.innerType) : Object.values(def.entries ?? {})
}

const encoded = (plain: string): string =>
  encodeURIComponent(plain.replaceAll(/\p{Cs}/gu, '?'))
    .replaceAll('%40%7B', '@{')
    .replaceAll(/(@\{\w+)%7D/g, '$1}')

const usualQuery: Readonly<Record<string, readonly string[]>> = {
  limit: ['1', '2', '100', '101', '500', '0', '-1', '1e2', '007', '9007199254740993'],
  offset: ['0', '1', '-1', '999999999999999'],
  starting_after: ['@{lead}', '@{call}', '@{event}', '@{delivery}', '@{foreignLead}', '@{campaign}'],
  cursor: ['@{dnc}', '@{lead}'],
  phone: ['%2B12127364001', '+12127364001'],
  organization_id: ['@{organization}'],
  key_id: ['@{spare}'],
}

function parameter(name: string, schema: z.ZodType): fc.Arbitrary<string> {
  if (name === 'path' || name === 'types') return glob.map((one) => `${name}=${encodeURIComponent(one)}`)
  const usual = [...(usualQuery[name] ?? []), ...wordsOf(schema), '2026-10-01T00:00:00Z', '1790812800', '@{campaign}']
  return fc
    .oneof(
      { weight: 3, arbitrary: fc.constantFrom(...usual) },
      { weight: 1, arbitrary: text.map(encoded) },
      {
        weight: 1,
        arbitrary: fc.constantFrom('%', '%zz', '%c0%ae', '%00', '%ff', '', '&', '=', '%5B%5D', `1&${name}=2`),
      },
    )
    .map((value) => `${fc.stringify(name).slice(1, -1)}=${value}`)
}

const strayQuery = ['&&', '=', '%', '__proto__=1', 'constructor=1', 'limit[]=1', 'limit[a]=1', '?', 'x=%zz', 'a=b;c=d']

function query({ query: schema }: Endpoint): fc.Arbitrary<string> {
  const shape = 'shape' in schema ? (schema.shape as Record<string, z.ZodType>) : {}
  const known = Object.entries(shape).map(([name, one]) => parameter(name, one))
  const one = fc.oneof(...known.map((arbitrary) => ({ weight: 4, arbitrary })), {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom(...strayQuery),
      fc.tuple(text, text).map((two) => two.map(encoded).join('=')),
    ),
  })
  return fc.array(one, { maxLength: 3 }).map((parts) => (parts.length === 0 ? '' : `?${parts.join('&')}`))
}

/** The usual object of a path parameter, by the path segment before it. */
const own: Readonly<Record<string, string>> = {
  leads: '@{lead}',
  calls: '@{call}',
  dnc: '@{dnc}',
  webhook_endpoints: '@{endpoint}',
  deliveries: '@{delivery}',
  campaigns: '@{campaign}',
  organizations: '@{organization}',
  keys: '@{spare}',
  snapshots: '@{snapshot}',
}
const strayPath = ['', '/', '//', '/.', '/..', '/%2e%2e', '/%2e%2e/%2e%2e', '/%00', ';', '%20', '#x', '%zz', '\\', '/~']

function path({ path: template }: Endpoint): fc.Arbitrary<string> {
  const parts = template.split('/').map((part, n, all) =>
    part.startsWith('{')
      ? fc.oneof(
          { weight: 6, arbitrary: fc.constant(own[all[n - 1] ?? ''] ?? '@{lead}') },
          { weight: 1, arbitrary: text.map(encoded) },
        )
      : fc.oneof(
          { weight: 60, arbitrary: fc.constant(part) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              part.toUpperCase(),
              `${part}/`,
              `%${part.charCodeAt(0).toString(16)}${part.slice(1)}`,
            ),
          },
        ),
  )
  const end = fc.oneof(
    { weight: 12, arbitrary: fc.constant('') },
    { weight: 1, arbitrary: fc.constantFrom(...strayPath) },
  )
  return fc.tuple(fc.tuple(...parts), end).map(([all, rest]) => all.join('/') + rest)
}

const visible = text.map((plain) => plain.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '?'))

const authorization = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('Bearer @{liveSecret}', 'Bearer @{liveSecret}', 'Basic @{liveBasic}') },
  {
    weight: 6,
    arbitrary: fc.constantFrom(...['test', 'scoped', 'poor', 'foreign'].map((who) => `Bearer @{${who}Secret}`)),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', 'Bearer', 'Basic', 'Basic Og==', 'Basic !!!!', 'Basic Y2tfbGl2ZQ==', 'Digest x'),
  },
  { weight: 1, arbitrary: fc.constantFrom('bEaReR   @{liveSecret} ', 'Bearer @{liveSecret} x', 'Basic @{liveSecret}') },
  { weight: 1, arbitrary: visible.map((token) => `Bearer ${token}`) },
)
const idempotencyKey = fc.oneof(
  fc.nat(5).map((n) => `key-${n}`),
  visible,
  fc.constantFrom('x'.repeat(255), 'x'.repeat(256), 'a b', '@{liveSecret}'),
)
const stray = fc.constantFrom<[string, string]>(
  ['Accept', 'text/html'],
  ['Accept-Version', '2'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['Expect', '100-continue'],
  ['Expect', 'miracles'],
  ['Upgrade', 'h2c'],
  ['Cookie', 'a=b'],
  ['__proto__', 'x'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'br'],
  ['Range', 'bytes=0-'],
  ['If-Match', '*'],
)
/** Headers that a browser adds for a page of another origin, or after DNS rebinding. */
const foreign = fc.constantFrom<Shot['foreign']>(
  ...[
    'attacker.example',
    'localhost.attacker.example',
    '0.0.0.0',
    '[::ffff:127.0.0.1]',
    '10.0.0.1',
    'a@localhost',
    '',
  ].map((host): Shot['foreign'] => [['Host', host]]),
  ...['https://attacker.example', 'null', 'http://localhost:1', 'file://', '', 'http://127.0.0.1.attacker.example'].map(
    (origin): Shot['foreign'] => [['Origin', origin]],
  ),
  ...['no-cors', 'cors', 'websocket', 'x'].map((mode): Shot['foreign'] => [
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', mode],
    ['Sec-Fetch-Dest', 'document'],
  ]),
  ...['iframe', 'audio', 'empty'].map((dest): Shot['foreign'] => [
    ['Sec-Fetch-Site', 'same-site'],
    ['Sec-Fetch-Mode', 'navigate'],
    ['Sec-Fetch-Dest', dest],
  ]),
)
const sender = fc.oneof({ weight: 9, arbitrary: fc.constant<Shot['foreign']>([]) }, { weight: 1, arbitrary: foreign })

const json = 'application/json'
const contentType = fc.oneof(
  { weight: 20, arbitrary: fc.constant<string | null>(json) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<(string | null)[]>(
      ...[
        null,
        '',
        'text/plain',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
        `${json}; charset=utf-16`,
      ],
      ...[
        `${json}; charset="`,
        `${json};charset=UTF-8`,
        'application/vnd.api+json',
        `${json}, text/plain`,
        'json',
        '/',
      ],
    ),
  },
)

const headers = (plane: Shot['plane']): fc.Arbitrary<Shot['headers']> =>
  fc
    .tuple(
      authorization,
      fc.option(idempotencyKey, { freq: 3 }),
      fc.array(stray, { maxLength: 1, size: 'max' }),
      contentType,
    )
    .map(([who, key, more, type]) => [
      ...(plane === 'api' ? [['Authorization', who] as [string, string]] : []),
      ...(key === null ? [] : [['Idempotency-Key', key] as [string, string]]),
      ...(Math.abs(who.length + (key?.length ?? 0)) % 4 === 0 ? more : []),
      ...(type === null ? [] : [['Content-Type', type] as [string, string]]),
    ])

const rarely = <T>(usual: T, ...others: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY', 'LOCK']

function shotOf(plane: Shot['plane'], name: string, endpoint: Endpoint): fc.Arbitrary<Shot> {
  const base = plane === 'api' ? basePath : ''
  return fc.record({
    plane: fc.constant(plane),
    method: rarely(endpoint.method as string, ...methods),
    path: fc.tuple(path(endpoint), query(endpoint)).map(([where, what]) => base + where + what),
    headers: headers(plane),
    foreign: sender,
    body: endpoint.method === 'GET' ? rarely('', '{}', '{', 'x') : body(name),
    encoding: rarely<Encoding>('utf8', 'latin1', 'utf16le', 'gzip', 'with a mark', 'cut short', 'twice'),
    sent: rarely<Shot['sent']>('whole', 'in pieces', 'in chunks', 'broken off'),
  })
}

const shotsOf = (plane: Shot['plane'], endpoints: Readonly<Record<string, Endpoint>>) =>
  Object.entries(endpoints).map(([name, endpoint]) => shotOf(plane, name, endpoint))

const pagePaths = [
  ...[
    '/',
    '/nothing',
    '/openapi.json',
    '/_sim/openapi.json',
    '/storage',
    '/storage/',
    '/favicon.ico',
    '/_sim',
    '//_sim/world',
  ],
  ...['@{recording}', '@{recording}&x=1', '@{recording}0', '/storage/@{organization}/test/recordings/@{call}.wav'],
  ...[
    '/storage/@{organization}/live/recordings/@{call}.wav?signature=x&signature=y&expires=1',
    '/storage/../_sim/world',
  ],
]
const pageShot: fc.Arbitrary<Shot> = fc.record({
  plane: fc.constant('page' as const),
  method: rarely('GET', ...methods),
  path: fc.constantFrom(...pagePaths),
  headers: fc.array(stray, { maxLength: 1, size: 'max' }),
  foreign: fc.oneof(sender, foreign),
  body: fc.constant(''),
  encoding: fc.constant('utf8' as const),
  sent: rarely<Shot['sent']>('whole', 'in pieces'),
})

/** Endpoints of the API come twice as often as control routes. */
export const shot: fc.Arbitrary<Shot> = fc.oneof(
  { weight: 12, arbitrary: fc.oneof(...shotsOf('api', contract)) },
  { weight: 6, arbitrary: fc.oneof(...shotsOf('control', control)) },
  { weight: 1, arbitrary: pageShot },
)

export function bodyBytes({ body: plain, encoding }: Pick<Shot, 'body' | 'encoding'>): Buffer {
  const bytes = Buffer.from(plain, 'utf8')
  if (encoding === 'gzip') return gzipSync(bytes)
  if (encoding === 'with a mark') return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])
  if (encoding === 'cut short') return bytes.subarray(0, bytes.length >> 1)
  if (encoding === 'twice') return Buffer.concat([bytes, bytes])
  return Buffer.from(plain, encoding)
}
