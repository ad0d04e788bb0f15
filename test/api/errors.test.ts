/** What every refusal has in common. */
import { expect, it } from 'vitest'
import { simulate } from '../support/simulate.js'

// rule F1
it('an error has the shape of an error, with the id of its request', async () => {
  const sim = await simulate()
  const reply = await sim.live.get('/leads/nothing')
  expect(reply.status).toBe(404)
  expect(reply.body).toEqual({
    error: {
      type: 'invalid_request_error',
      code: 'not_found',
      message: expect.any(String),
      param: null,
      request_id: reply.requestId,
    },
  })
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
})

// rule C5
it('an error has a different request id for each request', async () => {
  const sim = await simulate()
  const ids: string[] = []
  for (let n = 0; n < 20; n++) ids.push((await sim.live.get(n % 2 ? '/leads' : '/nothing')).requestId)
  expect(new Set(ids).size).toBe(20)
})

it.each([
  ['a number', { phone: '+12125550150' }, /\+?1?212|5550150/],
  ['a number in another spelling', { phone: '(212) 555-0150' }, /555-0150/],
  ['an address', { phone: 'ada@example.com' }, /ada@example\.com/],
])('masks %s in its message', async (_what, words, shown) => {
  const sim = await simulate()
  const { error } = await sim.live.post('/leads', { campaign_id: sim.campaignId, ...words })
  expect(error.code).toBe('invalid_phone')
  expect(error.message).not.toMatch(shown)
})

it('an error has no fields of other codes', async () => {
  const sim = await simulate()
  const refused = [
    await sim.live.get('/leads/nothing'),
    await sim.live.post('/leads', {}),
    await sim.live.post('/leads', { campaign_id: sim.campaignId, phone: '12' }),
  ]
  for (const { error } of refused) {
    expect(Object.keys(error).sort()).toEqual(['code', 'message', 'param', 'request_id', 'type'])
  }
})

it('an error has the same shape outside of the API', async () => {
  const sim = await simulate()
  const reply = await fetch(`${sim.url}/nothing`)
  expect(reply.status).toBe(404)
  expect(await reply.json()).toMatchObject({
    error: { code: 'not_found', request_id: reply.headers.get('request-id') },
  })
})
