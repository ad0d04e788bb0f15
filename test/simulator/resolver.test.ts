/** Names of receivers: looked up at every try, with a real name server, and never followed to a forbidden address. */
import { describe, expect, it } from 'vitest'
import { closing, courierWith, deliver, impatientCourier, parcelTo, receiverWith } from '../support/dispatch.js'
import { NameServer, type Records } from '../support/servers/name-server.js'

describe('names and addresses', () => {
  const named = async (records: Record<string, Records>) => {
    const nameServer = closing(await NameServer.start())
    for (const [name, known] of Object.entries(records)) nameServer.names.set(name, known)
    return { nameServer, nameServers: [nameServer.address] }
  }

  it('reaches a name by the address it has at that moment', async () => {
    const receiver = await receiverWith()
    const { nameServers, nameServer } = await named({ 'hooks.example.com': ['127.0.0.1'] })
    const url = receiver.url.replace('127.0.0.1', 'hooks.example.com')
    const courier = courierWith({ nameServers })
    expect(await deliver(url, courier)).toMatchObject({ responseStatus: 200 })
    expect((await receiver.next()).headers['host']).toBe(new URL(url).host)
    nameServer.names.set('hooks.example.com', ['10.0.0.1'])
    expect(await deliver(url, courier)).toMatchObject({ error: 'blocked_address', responseStatus: null })
    expect(receiver.requests).toHaveLength(1)
  })

  it('asks nobody for localhost, on either of its addresses', async () => {
    const { nameServers, nameServer } = await named({})
    const receiver = await receiverWith()
    const url = receiver.url.replace('127.0.0.1', 'localhost')
    expect(await deliver(url, courierWith({ nameServers }))).toMatchObject({ responseStatus: 200 })
    expect(nameServer.questions).toEqual([])
  })

  it.each([
    [['127.0.0.1']],
    [['8.8.8.8', '10.0.0.1']],
    [['8.8.8.8', '::1']],
    [['2606:4700::1111', 'fd00::1']],
    [['::ffff:8.8.8.8']],
    [['169.254.169.254']],
  ])('never opens a connection for a name with the addresses %j', async (addresses) => {
    const { nameServers } = await named({ 'hooks.example.com': addresses })
    const courier = courierWith({ allowLocal: false, nameServers })
    expect(await deliver('https://hooks.example.com/', courier)).toMatchObject({ error: 'blocked_address' })
    expect(await courier.mayReach('https://hooks.example.com/')).toBe(false)
  })

  it.each([
    ['is unknown', 'unknown'],
    ['its server knows nothing of', 'fails'],
    ['has no address', []],
  ] as const)('has a DNS error for a name that %s', async (_, records) => {
    const { nameServers } = await named({ 'hooks.example.com': records })
    const courier = courierWith({ nameServers })
    expect(await deliver('https://hooks.example.com/', courier)).toMatchObject({ error: 'dns_error' })
    expect(await courier.mayReach('https://hooks.example.com/')).toBe(true)
  })

  it('counts the time a silent name server takes', async () => {
    const { nameServers } = await named({ 'hooks.example.com': 'silent' })
    const outcome = await deliver('https://hooks.example.com/', impatientCourier({ nameServers }))
    expect(outcome).toMatchObject({ error: 'timeout' })
  })

  it.each([
    'http://127.0.0.1',
    'https://127.0.0.1',
    'https://[::1]',
    'https://localhost',
    'http://example.com',
    'https://10.1',
  ])('sends nothing to %s unless that is allowed', async (url) => {
    const courier = courierWith({ allowLocal: false })
    expect(await deliver(url, courier)).toMatchObject({ error: 'blocked_address', responseStatus: null })
    expect(await courier.mayReach(url)).toBe(false)
  })

  it('knows without asking that a public address may be reached', async () => {
    expect(await courierWith({ allowLocal: false }).mayReach('https://8.8.8.8/')).toBe(true)
    expect(await courierWith().mayReach('http://localhost:1/')).toBe(true)
  })

  it('lets silent name servers delay nobody else', async () => {
    const receiver = await receiverWith()
    const silent = Object.fromEntries(
      Array.from({ length: 8 }, (_, n) => [`silent${n}.example.com`, 'silent' as const]),
    )
    const { nameServers } = await named({ ...silent, 'hooks.example.com': ['127.0.0.1'] })
    const courier = courierWith({ nameServers })
    let over = 0
    const hanging = Object.keys(silent).map((name) =>
      courier.send(name, () => parcelTo(`https://${name}/`)).finally(() => (over += 1)),
    )
    const outcome = await deliver(receiver.url.replace('127.0.0.1', 'hooks.example.com'), courier)
    expect(outcome).toMatchObject({ responseStatus: 200 })
    expect(over).toBe(0)
    await courier.close()
    expect(await Promise.all(hanging)).toHaveLength(8)
  })
})
