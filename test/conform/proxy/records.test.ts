import { describe, expect, it } from 'vitest'
import { simulate } from '../../support/simulate.js'
import { ask, base, json, proxyTo, proxyToServer } from './proxied.js'

describe('the record of an exchange', () => {
  it('shows no secret, phone number, e-mail address or signature', async () => {
    const proxied = await proxyToServer((_asked, response) => void response.writeHead(404, json).end('{}'))
    const secret = 'unusual-secret-0123456789'
    const paths = [
      `${base}/dnc/check?phone=%2B12125557812`,
      `${base}/dnc/check?phone=(212)+555-7812`,
      `${base}/leads?external_id=ann%40example.com&starting_after=x`,
      `${base}/leads/+12125557812/${secret}`,
      `${base}/leads?key=cs_live_abcdefgh&b=whsec_abcdefgh`,
      '/storage/a.wav?expires=1&signature=0123abcd',
    ]
    for (const path of paths) {
      const { resume } = await ask(proxied, path, { headers: { authorization: `Bearer ${secret}` } })
      void resume
    }
    const shown = JSON.stringify(await proxied.ended(paths.length))
    for (const hidden of ['5557812', '555-7812', 'ann@example', secret, 'abcdefgh', '0123abcd']) {
      expect(shown).not.toContain(hidden)
    }
    expect(shown).toContain('/dnc/check?phone=+*******7812')
    expect(shown).toContain('expires=1&signature=****')
  })

  it('has the time, the request id and the departures of a refused request', async () => {
    const { baseUrl, test } = await simulate()
    const proxied = await proxyTo(baseUrl)
    const path = `${new URL(baseUrl).pathname}/leads`
    const headers = { authorization: `Bearer ${test.key.secret}`, 'content-type': 'application/json' }
    const reply = await ask(proxied, path, { method: 'POST', headers, body: '{"colour":"red"}' })
    expect(reply.statusCode).toBe(400)
    const [record] = await proxied.ended(1)
    expect(record).toMatchObject({ method: 'POST', path, status: 400, request_id: reply.headers['request-id'] })
    expect(new Date(record?.at ?? '').toISOString()).toBe(record?.at)
    expect(record?.departures.map(({ where, at, rule }) => [where, at, rule])).toEqual([
      ['request', 'body campaign_id', 'C2'],
      ['request', 'body phone', 'C2'],
      ['request', 'body colour', 'C2'],
    ])
  })
})
