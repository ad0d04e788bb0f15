/** Checks of how request bodies and queries are read (rules C2, C4 and C8). */
import { ConnectionError } from '../../../client/errors.js'
import { requestBodyBytes } from '../../../contract/limits.js'
import { withExtras, type Check } from '../../check.js'
import { accepted, cannotAsk, refused } from '../../expect.js'
import type { Reply } from '../../requests/reply.js'
import type { Ask } from '../../requests/requester.js'
import type { Session } from '../../session.js'

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

/**
 * Bodies for `POST /dnc` that strict parsing refuses. Each holds a number that cannot be listed, so that a lenient
 * deployment changes nothing: it answers `invalid_phone`.
 */
const malformed: readonly (readonly [what: string, ask: Ask, param?: string | null])[] = [
  ['that is cut off', { raw: '{"phone":"svc' }],
  ['with a trailing comma', { raw: '{"phone":"svc",}' }],
  ['with a comment', { raw: '{"phone":"svc"/* x */}' }],
  ['with text after the object', { raw: '{"phone":"svc"} x' }],
  ['with single quotes', { raw: "{'phone':'svc'}" }],
  ['that is an array', { raw: '[{"phone":"svc"}]' }],
  ['that is null', { raw: 'null' }],
  ['that is a string', { raw: '"svc"' }],
  ['with a key twice', { raw: '{"phone":"svc","phone":"svc"}' }, 'phone'],
  ['with a key twice, once escaped', { raw: '{"phone":"svc","ph\\u006fne":"svc"}' }],
  ['with an unknown field', { body: { phone: 'svc', svc_conform: 1 } }, 'svc_conform'],
  ['with a byte order mark', { raw: bytes([0xef, 0xbb, 0xbf], '{"phone":"svc"}') }],
  ['that is not UTF-8', { raw: bytes('{"phone":"', [0xff, 0xfe], '"}') }],
  ['with half of a surrogate pair', { raw: '{"phone":"\\ud800"}' }],
  ['of type text/plain', { body: { phone: 'svc' }, headers: { 'Content-Type': 'text/plain' } }],
  ['without a type', { body: { phone: 'svc' }, headers: { 'Content-Type': undefined } }],
  ['of type form', { raw: 'phone=svc', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }],
  ['in another charset', { body: { phone: 'svc' }, headers: { 'Content-Type': 'application/json; charset=utf-16' } }],
  ['with an unknown encoding', { body: { phone: 'svc' }, headers: { 'Content-Encoding': 'gzip' } }],
  ['that is missing', {}],
  ['without a required field', { body: {} }, 'phone'],
  ['with a field of the wrong type', { body: { phone: 12125557812 } }, 'phone'],
  ['with a null for a text', { body: { phone: null } }, 'phone'],
  ['that is larger than 1 MB', { raw: `{"phone":"svc"}${' '.repeat(requestBodyBytes)}` }],
]

const refusedBodies: readonly Check[] = malformed.map(([what, ask, param]) => ({
  rule: 'C2',
  group: 'parsing',
  title: `A body ${what} is refused`,
  needs: ['dnc:write'],
  run: async (session) => {
    refused(await sendBody(session, ask), 'invalid_request', param === undefined ? {} : { param })
  },
}))

/**
 * Sends a body that may be refused before it has arrived. The connection can then break before the answer is read, which
 * HTTP allows.
 */
async function sendBody(session: Session, ask: Ask): Promise<Reply> {
  for (let left = 3; ; left--) {
    try {
      return await session.send('POST', '/dnc', ask)
    } catch (error) {
      if (!(error instanceof ConnectionError) || typeof ask.raw !== 'string' || ask.raw.length < requestBodyBytes)
        throw error
      if (left === 1) return cannotAsk('the deployment broke the connection before its answer could be read')
    }
  }
}

/** Bodies that are read, so that the endpoint's own check answers. */
const wellFormed: readonly (readonly [what: string, ask: Ask])[] = [
  [
    'with a charset of UTF-8',
    { body: { phone: 'svc' }, headers: { 'Content-Type': 'application/json; charset=UTF-8' } },
  ],
  ['with white space around the object', { raw: ' \r\n\t{ "phone" : "svc" }\n' }],
  ['with escapes', { raw: '{"ph\\u006fne":"svc\\n\\ud83d\\ude00"}' }],
  ['of exactly 1 MB', { raw: `{"phone":"svc"}${' '.repeat(requestBodyBytes - 15)}` }],
]

const readBodies: readonly Check[] = wellFormed.map(([what, ask]) => ({
  rule: 'C2',
  group: 'parsing',
  title: `A body ${what} is read`,
  needs: ['dnc:write'],
  run: async (session) => {
    refused(await session.send('POST', '/dnc', ask), 'invalid_phone', { param: 'phone' })
  },
}))

const nested: readonly Check[] = [
  {
    rule: 'C2',
    group: 'parsing',
    title: 'An unknown field inside an object is refused with its path',
    needs: ['leads:write'],
    run: async (session) => {
      const { id: campaign_id } = await session.campaign()
      const consent = { source: 'web_form', agreed_at: '2026-01-05T10:00:00Z', text: 'I agree', svc_conform: 1 }
      const lead = { campaign_id, phone: session.madeUp.phone(), consent, dry_run: true }
      refused(await session.post('/leads', lead), 'invalid_request', { param: 'consent.svc_conform' })
    },
  },
  {
    rule: 'C2',
    group: 'parsing',
    title: 'A key twice inside an object is refused',
    needs: ['leads:write'],
    run: async (session) => {
      const { id } = await session.campaign()
      const raw = `{"campaign_id":"${id}","phone":"svc","dry_run":true,"fields":{"a":"1","a":"2"}}`
      refused(await session.post('/leads', undefined, { raw }), 'invalid_request', { param: 'a' })
    },
  },
  {
    rule: 'C2',
    group: 'parsing',
    title: 'A body may be left out if every field is optional',
    needs: ['leads:write'],
    run: async (session) => {
      refused(await session.send('POST', `/leads/${session.madeUp.uuid()}/opt_out`), 'not_found')
    },
  },
  {
    rule: 'D3',
    group: 'parsing',
    title: 'No field of a lead lifts the calling hours',
    needs: ['leads:write'],
    run: async (session) => {
      const { id: campaign_id } = await session.campaign()
      const lead = { campaign_id, phone: session.madeUp.phone(), any_hour: true, dry_run: true }
      refused(await session.post('/leads', lead), 'invalid_request', { param: 'any_hour' })
    },
  },
]

const queries: readonly Check[] = [
  {
    rule: 'C8',
    group: 'parsing',
    title: 'Unknown query parameters are ignored',
    needs: ['leads:read'],
    run: async (session) => {
      accepted(await session.get('/leads?limit=1&svc_conform=1'))
    },
  },
  {
    rule: 'C4',
    group: 'parsing',
    title: 'A filter without a time zone is refused',
    needs: ['leads:read'],
    run: async (session) => {
      const reply = await session.get(`/leads?created[gte]=${encodeURIComponent('2026-10-01T09:00:00')}`)
      refused(reply, 'invalid_request', { param: 'created[gte]' })
    },
  },
  {
    rule: 'C4',
    group: 'parsing',
    title: 'A filter takes ISO 8601 with an offset',
    needs: ['leads:read'],
    run: async (session) => {
      accepted(await session.get(`/leads?limit=1&created[gte]=${encodeURIComponent('2026-10-01T09:00:00+02:00')}`))
    },
  },
  {
    rule: 'C4',
    group: 'parsing',
    title: 'A filter takes Unix seconds',
    needs: ['leads:read'],
    run: async (session) => {
      accepted(await session.get('/leads?limit=1&created[gte]=1790812800'))
    },
  },
]

export const parsingChecks: readonly Check[] = withExtras(
  [...refusedBodies, ...readBodies, ...nested, ...queries],
  'with a comment',
  'with a trailing comma',
  'half of a surrogate',
  'with text after the object',
  'with single quotes',
  'that is null',
  'that is a string',
  'that is an array',
  'once escaped',
  'of type form',
  'in another charset',
  'that is missing',
  'with a null for a text',
  'charset of UTF-8',
  'white space around',
  'with escapes',
  'A filter takes',
  'A key twice inside',
  'with an unknown encoding',
)
