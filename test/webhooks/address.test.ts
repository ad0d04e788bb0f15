/** Which receivers webhooks may go to: the spelling of their URLs, and the ranges of their addresses. */
import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, it } from 'vitest'
import { checkAddress } from '../../src/webhooks/address.js'
import { isLoopback, isPublicAddress, mayConnect } from '../../src/webhooks/ranges.js'
import { anyText } from '../support/any-text.js'

const strict = { allowLocal: false }
const local = { allowLocal: true }

const problemOf = (url: string, options = strict) => {
  const verdict = checkAddress(url, options)
  return verdict.ok ? null : verdict.problem
}

// rule W1
describe('the URL of a receiver', () => {
  it('is taken after thousands of others as it was before', () => {
    for (let i = 0; i < 50_000; i++) checkAddress(`https://hooks-${i}.example.com/x`, strict)
    expect(problemOf('https://münchen.example/ü')).toBeNull()
  })

  it.each([
    ['https://example.com', 'https://example.com/', null],
    ['HTTPS://Example.COM:443/Hooks?a=1&b=%20', 'https://example.com/Hooks?a=1&b=%20', null],
    ['https://hooks.example.co.uk:8443/a/b', 'https://hooks.example.co.uk:8443/a/b', null],
    ['https://my_host-1.example.com/x@y', 'https://my_host-1.example.com/x@y', null],
    ['https://münchen.example/ü', 'https://xn--mnchen-3ya.example/%C3%BC', null],
    ['https://8.8.8.8/hook', 'https://8.8.8.8/hook', '8.8.8.8'],
    ['https://134744072/hook', 'https://8.8.8.8/hook', '8.8.8.8'],
    ['https://[2606:4700:0:0::1111]/', 'https://[2606:4700::1111]/', '2606:4700::1111'],
  ])('is taken: %s', (written, href, literal) => {
    const verdict = checkAddress(written, strict)
    expect(verdict).toMatchObject({ ok: true, literal })
    expect(verdict.ok && verdict.url.href).toBe(href)
  })

  it.each([
    ['http://example.com/', 'The URL must begin with https://.'],
    ['ftp://example.com/', 'begins with https://'],
    ['example.com/hook', 'begins with https://'],
    ['//example.com/hook', 'begins with https://'],
    ['https:example.com', 'begins with https://'],
    ['https:/example.com', 'begins with https://'],
    ['https:///example.com', 'begins with https://'],
    ['https://', 'begins with https://'],
    ['https://?a', 'begins with https://'],
    ['', 'begins with https://'],
    ['javascript:alert(1)', 'begins with https://'],
    [' https://example.com', 'white space'],
    ['https://example.com\n', 'white space'],
    ['https://exa\tmple.com', 'white space'],
    ['https://example.com/a b', 'white space'],
    ['https://example.com/\u0000', 'control characters'],
    ['https://example.com/\u00a0', 'white space'],
    ['https:\\\\example.com', 'backslash'],
    ['https://example.com\\@10.0.0.1', 'backslash'],
    ['https://user:pass@example.com', 'user name'],
    ['https://user@example.com', 'user name'],
    ['https://@example.com', 'user name'],
    ['https://:@example.com', 'user name'],
    ['https://example.com/#part', 'fragment'],
    ['https://example.com/#', 'fragment'],
    ['https://example.com:0/', 'port'],
    ['https://example.com:65536/', 'not a valid URL'],
    ['https://exa mple.com/', 'white space'],
    ['https://[::1', 'not a valid URL'],
    ['https://[fe80::1%25eth0]/', 'not a valid URL'],
    ['https://1.2.3.4.5/', 'not a valid URL'],
    ['https://256.1.1.1/', 'not a valid URL'],
    [`https://example.com/${'a'.repeat(2029)}`, 'at most 2048 characters'],
    ['https://localhost/', 'localhost is not a name of the public internet.'],
    ['https://LOCALHOST/', 'localhost is not a name'],
    ['https://localhost./', 'must not end in a dot'],
    ['https://example.com./', 'must not end in a dot'],
    ['https://app.localhost/', 'app.localhost is not a name'],
    ['https://printer.local/', 'printer.local is not a name'],
    ['https://metadata.google.internal/', 'metadata.google.internal is not a name'],
    ['https://intranet/', 'intranet is not a full host name'],
    ['https://a..b/', 'not a host name'],
    ['https://.example.com/', 'not a host name'],
    [`https://${'a'.repeat(64)}.com/`, 'not a host name'],
    [`https://${'a.'.repeat(127)}com/`, 'not a host name'],
    ['https://exa$mple.com/', 'not a host name'],
  ])('is refused: %j', (written, words) => {
    expect(problemOf(written)).toContain(words)
  })

  it.each([
    ['https://127.0.0.1', '127.0.0.1'],
    ['https://127.1', '127.0.0.1'],
    ['https://2130706433', '127.0.0.1'],
    ['https://0x7f.1', '127.0.0.1'],
    ['https://0x7F000001', '127.0.0.1'],
    ['https://0177.0.0.1', '127.0.0.1'],
    ['https://127.0.0.1.', '127.0.0.1'],
    ['https://①②⑦.0.0.1', '127.0.0.1'],
    ['https://127。0。0。1', '127.0.0.1'],
    ['https://%31%32%37.0.0.1', '127.0.0.1'],
    ['https://0', '0.0.0.0'],
    ['https://10.1', '10.0.0.1'],
    ['https://169.254.169.254/latest/meta-data', '169.254.169.254'],
    ['https://0xa9fea9fe/', '169.254.169.254'],
    ['https://[::]', '::'],
    ['https://[::1]:8443', '::1'],
    ['https://[0:0:0:0:0:0:0:1]', '::1'],
    ['https://[::ffff:127.0.0.1]', '::ffff:7f00:1'],
    ['https://[::ffff:8.8.8.8]', '::ffff:808:808'],
    ['https://[::127.0.0.1]', '::7f00:1'],
    ['https://[64:ff9b::10.0.0.1]', '64:ff9b::a00:1'],
    ['https://[fd00:ec2::254]', 'fd00:ec2::254'],
  ])('is refused for its address however that is written: %s', (written, address) => {
    expect(problemOf(written)).toBe(`${address} is not an address of the public internet.`)
  })

  it.each([
    'http://localhost:3000/hook',
    'https://localhost:3000/hook',
    'http://127.0.0.1:3000',
    'http://127.1.2.3',
    'http://[::1]:3000',
    'http://example.com',
    'http://8.8.8.8',
  ])('may be on the machine of the developer when that is allowed: %s', (written) => {
    expect(problemOf(written, local)).toBeNull()
    expect(problemOf(written)).not.toBeNull()
  })

  it.each([
    'http://10.0.0.1',
    'http://192.168.1.10',
    'http://169.254.169.254',
    'http://0.0.0.0',
    'http://[::]',
    'http://[::ffff:127.0.0.1]',
    'http://[fe80::1]',
    'http://app.localhost',
    'http://localhost.',
    'http://printer.local',
    'http://intranet',
    'http://user@localhost',
    'http://localhost:0',
    'http:localhost',
    'ftp://localhost',
  ])('stays refused when only this machine is allowed: %s', (written) => {
    expect(problemOf(written, local)).not.toBeNull()
  })

  it('is taken as it is written: what passes names the same host to every parser', () => {
    fc.assert(
      fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (written) => {
        const verdict = checkAddress(written, strict)
        if (!verdict.ok) return
        expect(written.toLowerCase().startsWith(`https://${verdict.url.host}`)).toBe(true)
      }),
    )
  })

  it('is judged without ever throwing', () => {
    const piece = fc.oneof(fc.constantFrom('https://', '[', ']', '@', ':', '%', '.', '\\', '127.0.0.1'), anyText())
    fc.assert(
      fc.property(fc.array(piece), fc.boolean(), (pieces, allowLocal) => {
        const verdict = checkAddress(pieces.join(''), { allowLocal })
        if (!verdict.ok) expect(verdict.problem).toMatch(/\.$/)
      }),
    )
  })
})

/** Each range with its first and its last address; public addresses next to it are in `neighbours`. */
const special = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ['2001:10::', '2001:1f:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:20::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000::', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ff02::1'],
] as const

const neighbours = [
  ...['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ...['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0', '192.0.3.0'],
  ...[
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '203.0.112.255',
    '203.0.114.0',
    '223.255.255.255',
  ],
  ...[
    '2000::',
    '2001:200::',
    '2001:db7:ffff::',
    '2001:db9::',
    '2003::',
    '2606:4700:4700::1111',
    '3ffe:ffff::',
    '3fff:1000::',
  ],
]

describe('an address', () => {
  it.each(special)('from %s to %s is not public', (first, last) => {
    expect([isPublicAddress(first), isPublicAddress(last)]).toEqual([false, false])
  })

  it.each(neighbours)('next to those ranges is public: %s', (ip) => {
    expect(isPublicAddress(ip)).toBe(true)
    expect(mayConnect(ip, strict)).toBe(true)
  })

  it.each([
    '',
    'example.com',
    '8.8.8',
    '8.8.8.8 ',
    '08.8.8.8',
    '0x8.8.8.8',
    '2606:4700::1%eth0',
    '[2606:4700::1]',
    'fe80::1%1',
  ])('that is no plain address is neither public nor local: %j', (text) => {
    expect([isPublicAddress(text), isLoopback(text), mayConnect(text, local)]).toEqual([false, false, false])
  })

  it.each(['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'])(
    'of this machine is taken on request: %s',
    (ip) => {
      expect([isLoopback(ip), mayConnect(ip, local), mayConnect(ip, strict)]).toEqual([true, true, false])
    },
  )

  it.each(['0.0.0.0', '::', '::ffff:127.0.0.1', '::127.0.0.1', '10.0.0.1', '64:ff9b::127.0.0.1', '::2'])(
    'that only resembles this machine is not taken on request: %s',
    (ip) => {
      expect([isLoopback(ip), mayConnect(ip, local)]).toEqual([false, false])
    },
  )

  it('of IPv4 is public exactly when a second opinion says so', () => {
    fc.assert(
      fc.property(fc.ipV4(), (ip) => {
        expect(isPublicAddress(ip)).toBe(ipaddr.parse(ip).range() === 'unicast')
      }),
      { numRuns: 2_000 },
    )
  })

  it('of IPv6 is public only when a second opinion says so', () => {
    const near = fc
      .tuple(fc.constantFrom(...special.map(([first]) => first), ...neighbours), fc.bigInt(-3n, 3n))
      .map(moved)
    fc.assert(
      fc.property(fc.oneof(fc.ipV6(), near), (ip) => {
        if (isPublicAddress(ip)) expect(ipaddr.parse(ip).range()).toBe('unicast')
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The address at an offset from the given one. */
function moved([ip, by]: readonly [string, bigint]): string {
  const bytes = ipaddr.parse(ip).toByteArray()
  const bits = BigInt(bytes.length * 8)
  const place = BigInt.asUintN(Number(bits), BigInt(`0x${Buffer.from(bytes).toString('hex')}`) + by)
  const hex = place.toString(16).padStart(bytes.length * 2, '0')
  return ipaddr.fromByteArray([...Buffer.from(hex, 'hex')]).toString()
}
