/** Bytes that are hardly HTTP: wrong lengths, contradicting encodings, floods of headers, incomplete requests. */
import fc from 'fast-check'
import { basePath } from '../../simulator/http/api-routes.js'

export interface Wild {
  /** In ISO 8859-1. */
  bytes: string
  /** Number of pieces it is sent in. */
  pieces: number
  /** What the sender does after the last byte. */
  ending: 'half' | 'cut'
}

const firstLine = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(`POST ${basePath}/dnc HTTP/1.1`, `GET ${basePath}/leads HTTP/1.1`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      ...[`GET ${basePath}/leads HTTP/1.0`, `GET ${basePath}/leads HTTP/9.9`, `GET ${basePath}/leads`, 'hello', ''],
      ...[`CONNECT 127.0.0.1:1 HTTP/1.1`, 'OPTIONS * HTTP/1.1', `GET http://x.example${basePath}/leads HTTP/1.1`],
      ...['PRI * HTTP/2.0\r\n\r\nSM', `GET ${basePath}/Zo\xeb HTTP/1.1`, `GET /${'a'.repeat(70_000)} HTTP/1.1`],
      ...[
        `POST /_sim/dnc HTTP/1.1`,
        `get ${basePath}/leads HTTP/1.1`,
        `GET\t${basePath}/leads\tHTTP/1.1`,
        '\x16\x03\x01\x00\xf4',
      ],
    ),
  },
)

const header = fc.oneof(
  fc.constantFrom(
    ...['Content-Length: 2', 'Content-Length: 2', 'Content-Length: 20', 'Content-Length: -1', 'Content-Length: 0x2'],
    ...[
      'Content-Length: 99999999999999999999',
      'Content-Length: 9999999999',
      'Content-Length: 2, 2',
      'Content-Length:',
    ],
    ...[
      'Transfer-Encoding: chunked',
      'Transfer-Encoding: gzip, chunked',
      'Transfer-Encoding: identity',
      'Transfer-Encoding: x',
    ],
    ...['Transfer-Encoding : chunked', 'Transfer-Encoding: chunked, chunked', 'Transfer-Encoding:\x0bchunked'],
    ...['Expect: 100-continue', 'Expect: miracles', 'Connection: Upgrade\r\nUpgrade: websocket', 'Connection: close'],
    ...['Host: 127.0.0.1', 'Host: ', 'Host: a\r\nHost: b', 'X: a\r\n folded', 'X: a\x00b', 'X : a', ': x', 'no colon'],
    ...['Authorization: Bearer @{liveSecret}', 'Authorization: Bearer @{liveSecret}', 'Content-Type: application/json'],
  ),
  fc.constantFrom(100, 1_000, 3_000).map((n) => 'X: 1\r\n'.repeat(n) + 'Y: 1'),
  fc.constantFrom(1_000, 16_000, 100_000).map((n) => `X: ${'y'.repeat(n)}`),
)

const content = fc.constantFrom(
  ...[
    '',
    '{}',
    '{"phone":"+12127364001"}',
    '2\r\n{}\r\n0\r\n\r\n',
    'zz\r\n{}',
    'ffffffffffffffffffff\r\n{}',
    '2\r\n{}',
  ],
  ...['2;x=y\r\n{}\r\n0\r\nTrailer: x\r\n\r\n', '0\r\n\r\nGET / HTTP/1.1\r\n\r\n', '\x00\x00', 'x'.repeat(200_000)],
)

export const wild: fc.Arbitrary<Wild> = fc.record({
  bytes: fc
    .tuple(firstLine, fc.array(header, { maxLength: 5 }), fc.constantFrom('\r\n', '\r\n', '\r\n', '\n', '\r'), content)
    .map(([first, headers, end, rest]) => [first, ...headers, '', rest].join(end)),
  pieces: fc.constantFrom(1, 1, 2, 40),
  ending: fc.constantFrom('half', 'half', 'cut'),
})
