/** Values to spoil a request with: wrong types, values at and past every limit, and texts that often break programs. */
import fc from 'fast-check'
import * as limits from '../../src/contract/limits.js'
import { anyText } from '../support/any-text.js'

const mark = '\u0001'
/** Marks JSON text, such as `1e999`, that no JavaScript value produces. */
const literal = (text: string): string => `${mark}${text}${mark}`

/** A value as JSON, with the marked texts inserted. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/"\\u0001(.*?)\\u0001"/g, (_, text: string) => JSON.parse(`"${text}"`) as string)

/** Every number in limits.ts, and the numbers next to it. */
const limitNumbers = [...new Set(Object.values(limits).flat())]
  .filter((n) => n <= 5_000)
  .flatMap((n) => [n - 1, n, n + 1])

const characters = [
  ...['', ' ', '\u0000', 'a\u0000b', '\t', '\r\n', '\u001b[31m', '\u001b]8;;http://x\u0007', '\u007f', '\u0085'],
  ...['\u202eabc', 'e\u0301', '\u2028', '\ufeff', '😀', '\ud800', '\udc00\ud800', '\ufffe', 'ﷺ', 'Z\u0351\u0352'],
]
const words = [
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'null', 'undefined', 'true', 'NaN', '[object Object]'],
  ...['0', '-0', '1e308', '9007199254740993', '0x10', '１２', '=1+1', '+1', '-1', '@SUM(A1)', '%', '%00', '%s%n'],
  ...["' OR 1=1 --", '../../etc/passwd', '..%2f..%2f', '<script>', '{{7*7}}', 'a/b', '.', '..', ',', '*', '**'],
]
const moments = [
  ...['2026-10-01T15:00:00Z', '2026-09-30T12:00:00+14:00', '2026-02-30T00:00:00Z', '2026-10-01', '2026-10'],
  ...['2026-10-01T15:00:00', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '1969-12-31T23:59:59Z', '1790812800'],
  ...['2026-10-01T24:00:00Z', '2026-10-01T15:00:60Z', '99999999999', '-1', '+275760-09-13T00:00:00Z', '2026-13'],
]
const numbers = [
  ...['+12127364001', '(212) 736-4002', '+15550100001', '+15550100002', '+12125550123', '+442071838750', '911'],
  ...[
    '+1 212 736 4001 ext. 5',
    '+19005551234',
    '+1٢١٢٧٣٦٤٠٠١',
    '1'.repeat(32),
    '+',
    'tel:+12127364001',
    '+18765551234',
  ],
]
/** None of these contains a name, because a name would be looked up in DNS. */
const addresses = [
  ...[
    'https://127.0.0.1:1/hook',
    'http://127.0.0.1:1/hook',
    'https://[::1]:1/',
    'https://0x7f.1:1/',
    'ftp://127.0.0.1/',
  ],
  ...['https://a:b@127.0.0.1:1/', 'https://127.0.0.1:99999/', 'javascript:alert(1)', 'file:///etc/passwd', 'https://'],
  ...[
    'http://169.254.169.254/latest/',
    'https://10.0.0.1/',
    'https://[::ffff:10.0.0.1]/',
    'a@b',
    'a@b.co',
    '"a b"@c.de',
  ],
]
/** Placeholders for existing objects. */
const there = [
  ...[
    'lead',
    'call',
    'dnc',
    'endpoint',
    'delivery',
    'campaign',
    'second',
    'organization',
    'event',
    'snapshot',
    'spare',
  ],
  ...['foreignLead', 'foreignCampaign', 'foreignCall', 'liveSecret', 'endpointSecret'],
].map((name) => `@{${name}}`)

const long = fc
  .tuple(fc.constantFrom('x', 'é', '😀', '"', '\\', '\u0000'), fc.constantFrom(...limitNumbers))
  .map(([text, length]) => text.repeat(Math.max(0, length)))

export const text: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...characters, ...words, ...moments, ...numbers, ...addresses, ...there),
  long,
  anyText({ maxLength: 40 }),
)

const huge = [
  '1e308',
  '1e999',
  '-1e999',
  '-0',
  '9007199254740993',
  '1E400',
  '0.1e-400',
  '123456789012345678901234567890',
]
const deep = (levels: number) => literal('['.repeat(levels) + ']'.repeat(levels))

const odd: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  ...[null, true, false, [], {}, [[]], [null], {}, 1.5, -1, { toString: 1 }],
  ...huge.map(literal),
  ...['{"__proto__":{"phone":1}}', '{"constructor":{"prototype":{}}}', '{"a":1,"a":2}', 'NaN', '01', "'x'"].map(
    literal,
  ),
  deep(60),
  deep(70),
  deep(100_000),
)

export const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.constantFrom(...limitNumbers) },
  { weight: 2, arbitrary: odd },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

/** How often a list is repeated, or the number of fields to add. */
export const many: fc.Arbitrary<number> = fc.constantFrom(0, 2, ...limitNumbers.filter((n) => n > 0 && n <= 501))
