/** `svc simulate fault`: faults of requests and webhooks are added, removed one by one, and cleared. */
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../../support/programs/svc-at.js'

describe('simulate fault', () => {
  it('lets the next matching requests go wrong, until it is cleared', async () => {
    const at = await SvcAt.start()
    const fault = ['simulate', 'fault', '--method', 'GET', '--path', '/leads', '--status', '500', '--count', '9']
    expect(await at.data(...fault)).toMatchObject({ method: 'GET', path: '/leads', status: 500, count: 9 })
    expect((await at.client.get('/leads')).status).toBe(500)
    expect(await at.data('simulate', 'fault', '--clear')).toEqual({ removed: 1 })
    expect((await at.client.get('/leads')).status).toBe(200)
    expect(await at.run(['simulate', 'fault', '--path', '/leads'])).toMatchObject({ code: 2, stdout: '' })
  })

  it('removes one fault with --remove', async () => {
    const at = await SvcAt.start()
    const { id } = await at.data<{ id: string }>('simulate', 'fault', '--status', '500')
    await at.data('simulate', 'fault', '--webhooks', '--drop')
    expect(await at.data('simulate', 'fault', '--remove', id)).toMatchObject({ id, status: 500 })
    expect(await at.simulation.control('GET', '/_sim/faults')).toMatchObject([{ to: 'webhooks', drop: true }])
    expect(await at.run(['simulate', 'fault', '--remove', id])).toMatchObject({ code: 3, stdout: '' })
    for (const wrong of [['--clear'], ['--drop'], ['--webhooks', '--drop']])
      expect(await at.run(['simulate', 'fault', '--remove', id, ...wrong])).toMatchObject({ code: 2, stdout: '' })
  })

  it('shows the faults that wait with --list', async () => {
    const at = await SvcAt.start()
    const request = await at.data('simulate', 'fault', '--status', '500')
    const webhook = await at.data('simulate', 'fault', '--webhooks', '--drop', '--event', 'call.*')
    expect(await at.data('simulate', 'fault', '--list')).toEqual(expect.arrayContaining([request, webhook]))
    expect(await at.run(['simulate', 'fault', '--list', '--clear'])).toMatchObject({ code: 2, stdout: '' })
    await at.data('simulate', 'fault', '--clear')
    expect(await at.data('simulate', 'fault', '--list')).toEqual([])
  })

  it('writes one length in one form, wherever it is shown', async () => {
    const at = await SvcAt.start()
    for (const delay of ['300', '300s', '5m'])
      expect(await at.data('simulate', 'fault', '--webhooks', '--delay', delay)).toMatchObject({ delay: '5m' })
    const listed = await at.data<{ delay: string }[]>('simulate', 'fault', '--list')
    expect(listed.map(({ delay }) => delay)).toEqual(['5m', '5m', '5m'])
    expect(await at.data('simulate', 'fault', '--webhooks', '--stale', '90s')).toMatchObject({ stale: '90s' })
  })

  it('lists what each fault matches and does, in words', async () => {
    const at = await SvcAt.start()
    await at.data('simulate', 'fault', '--method', 'POST', '--path', '/leads/**', '--status', '503', '--after-commit')
    await at.data('simulate', 'fault', '--latency', '2s')
    await at.data('simulate', 'fault', '--webhooks', '--duplicate', '2', '--event', 'call.*')
    await at.data('simulate', 'fault', '--webhooks', '--delay', '5m', '--count', '3')
    const table = await at.text('simulate', 'fault', '--list', '-o', 'table')
    expect(table).toBe(
      [
        'ID         To        Matches         Effect                   Count',
        'request_1  requests  POST /leads/**  error 503, after saving  1',
        'request_2  requests  any request     2 s late                 1',
        'webhook_1  webhooks  call.*          2 more copies            1',
        'webhook_2  webhooks  any event       5m late                  3',
        '',
      ].join('\n'),
    )
  })

  it('takes one field after --json, whether it lists, adds or clears', async () => {
    const at = await SvcAt.start()
    const run = async (...words: string[]) =>
      JSON.parse(await at.text('simulate', 'fault', ...words)) as { data: unknown }
    expect(await run('--latency', '1s', '--json', 'id')).toEqual({ data: { id: 'request_1' } })
    expect(await run('--list', '--json', 'count')).toEqual({ data: [{ count: 1 }] })
    await at.data('simulate', 'fault', '--method', 'GET', '--status', '500')
    expect(await run('--list', '--json', 'method')).toEqual({ data: [{ method: null }, { method: 'GET' }] })
    expect(await run('--list', '--json', 'path')).toEqual({ data: [{ path: null }, { path: null }] })
    expect(await run('--status', '500', '--json', 'path')).toEqual({ data: { path: null } })
    expect(await run('--clear', '--json', 'removed')).toEqual({ data: { removed: 3 } })
  })

  it('lets webhooks go wrong with --webhooks, and refuses flags that do not fit together', async () => {
    const at = await SvcAt.start()
    const fault = ['simulate', 'fault', '--webhooks', '--event', 'call.*', '--count', '3']
    const base = { to: 'webhooks', event: 'call.*', count: 3 }
    const added = async (...flags: string[]) => at.data(...fault, ...flags)
    expect(await added('--duplicate', '2')).toEqual({ ...base, id: 'webhook_1', duplicate: 2 })
    expect(await added('--delay', '5m')).toEqual({ ...base, id: 'webhook_2', delay: '5m' })
    expect(await added('--reorder')).toEqual({ ...base, id: 'webhook_3', reorder: true })
    expect(await added('--drop')).toEqual({ ...base, id: 'webhook_4', drop: true })
    expect(await added('--corrupt-signature')).toEqual({ ...base, id: 'webhook_5', corrupt_signature: true })
    expect(await added('--stale', '10m')).toEqual({ ...base, id: 'webhook_6', stale: '10m' })
    expect(await at.data('simulate', 'fault', '--clear')).toEqual({ removed: 6 })
    for (const wrong of [[...fault], [...fault, '--drop', '--reorder'], [...fault, '--drop', '--path', '/leads']])
      expect(await at.run(wrong)).toMatchObject({ code: 2, stdout: '' })
    expect(await at.run(['simulate', 'fault', '--duplicate', '2'])).toMatchObject({ code: 2, stdout: '' })
  })
})
