/** Commands that change, opt out and follow leads; campaigns and the Do Not Call list. */
import { describe, expect, it } from 'vitest'
import type { Campaign } from '../../src/contract/campaigns.js'
import type { DncEntry } from '../../src/contract/dnc.js'
import type { Lead } from '../../src/contract/leads.js'
import { SvcAt } from '../support/programs/svc-at.js'

describe('leads update', () => {
  it('changes what is named, keeps the rest, and clears what is to be cleared', async () => {
    const at = await SvcAt.start()
    const words = { name: 'Ann', email: 'ann@example.test', fields: { city: 'Albany', pet: 'cat' } }
    const { id } = await at.simulation.lead(words)
    const changed = await at.data<Lead>(
      'leads',
      'update',
      id,
      '--name',
      'Ann Lee',
      '--field',
      'pet=dog',
      '--clear',
      'email',
      '--clear',
      'city',
    )
    expect(changed).toMatchObject({ name: 'Ann Lee', email: null, fields: { pet: 'dog' } })
    expect(await at.simulation.readLead(id)).toMatchObject({ name: 'Ann Lee', email: null, fields: { pet: 'dog' } })
  })

  it('takes nothing for set and cleared at once', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({ name: 'Ann', fields: { city: 'Rome', name: 'Bo' } })
    for (const words of [
      ['--name', 'Bo', '--clear', 'name'],
      ['--field', 'city=Albany', '--clear', 'city'],
    ]) {
      const ran = await at.run(['leads', 'update', id, ...words])
      expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('set and cleared') as string })
    }
    await at.text('leads', 'update', id, '--field', 'name=Cy', '--clear', 'name')
    expect(await at.simulation.readLead(id)).toMatchObject({ name: null, fields: { city: 'Rome', name: 'Cy' } })
  })

  it('asks for at least one change, and says when what is cleared was perhaps another word', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    expect(await at.run(['leads', 'update', id])).toMatchObject({ code: 2, stdout: '' })
    const ran = await at.run(['leads', 'update', id, '--clear', 'emial'])
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('--clear email') as string })
  })
})

describe('leads opt-out', () => {
  it('does nothing without a yes where nobody can be asked', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    const ran = await at.run(['leads', 'opt-out', id])
    expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('--yes') as string })
    expect((await at.simulation.readLead(id)).status).not.toBe('out_of_queue')
  })

  it('takes the lead out and lists its number', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    const lead = await at.data<Lead>('leads', 'opt-out', id, '--reason', 'asked to', '--yes')
    expect(lead).toMatchObject({ id, status: 'out_of_queue', last_outcome: 'dnc' })
    expect(await at.data('dnc', 'check', lead.phone)).toMatchObject({ onDncList: true })
  })

  it('says in a column of its own whether a call goes on', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    const ran = await at.run(['leads', 'opt-out', id, '--yes', '--columns', 'status,call_in_progress'])
    expect(ran).toMatchObject({ code: 0, stdout: 'status\tcall_in_progress\nout_of_queue\ttrue\n' })
  })
})

describe('leads watch', () => {
  it('prints a line a change and ends when the lead is done', async () => {
    const at = await SvcAt.start()
    const phone = at.simulation.phone()
    await at.simulation.script(phone, {
      answer: 'person',
      outcome: 'not_interested',
      ring_seconds: 10,
      talk_seconds: 60,
    })
    const { id } = await at.simulation.lead({ phone })
    const watching = at.svc.start(['leads', 'watch', id, '--output', 'ndjson', '--interval', '0.05'], at.env)
    const next = async () => (JSON.parse(await watching.line()) as Lead).status
    expect(await next()).toBe('dialing')
    await at.simulation.advance('20s')
    expect(await next()).toBe('on_call')
    await at.simulation.advance('2m')
    expect(await next()).toBe('done')
    expect(await watching.end()).toMatchObject({ code: 0, stderr: '' })
  })

  it('prints the lead once, as the API says it, with --json', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    await at.client.post(`/leads/${id}/opt_out`, {})
    expect(await at.data<Lead>('leads', 'watch', id)).toEqual(await at.simulation.readLead(id))
  })

  it('gives up after --timeout with a code of its own', async () => {
    const at = await SvcAt.start()
    const { id } = await at.simulation.lead({})
    const ran = await at.run(['leads', 'watch', id, '--timeout', '0.2', '--interval', '0.05'])
    expect(ran).toMatchObject({ code: 9, stderr: expect.stringMatching(/^Error: The lead is still dialing/) as string })
    expect(ran.stdout.split('\n')).toHaveLength(3)
  })
})

describe('campaigns', () => {
  it('are listed, read, paused and started', async () => {
    const at = await SvcAt.start()
    const { campaignId: id } = at.simulation
    const other = await at.simulation.campaign({ status: 'paused' })
    expect((await at.data<Campaign[]>('campaigns', 'list')).map((one) => one.id)).toEqual([other.id, id])
    expect(await at.text('campaigns', 'list', '--status', 'paused', '--columns', 'id', '--no-header')).toBe(
      `${other.id}\n`,
    )
    expect(await at.data<Campaign>('campaigns', 'pause', id)).toMatchObject({ id, status: 'paused' })
    expect(await at.data<Campaign>('campaigns', 'get', id)).toMatchObject({ status: 'paused' })
    expect(await at.data<Campaign>('campaigns', 'start', id)).toMatchObject({ id, status: 'running' })
  })
})

describe('the Do Not Call list', () => {
  it('is searched and paged, and an entry is taken off once that is confirmed', async () => {
    const at = await SvcAt.start()
    await at.client.post('/dnc/batch', { phones: ['+12125557812', '+12125557813', '+13105557814'] })
    const found = await at.data<DncEntry[]>('dnc', 'list', '--search', '212555')
    expect(found.map(({ phone }) => phone)).toEqual(['+12125557813', '+12125557812'])
    const columns = ['--columns', 'phone', '--no-header']
    expect(await at.text('dnc', 'list', '--limit', '2', ...columns)).toBe('+13105557814\n+12125557813\n')
    expect(await at.text('dnc', 'list', '--all', '--limit', '2', ...columns)).toBe(
      '+13105557814\n+12125557813\n+12125557812\n',
    )

    const id = found[0]?.id ?? ''
    expect(await at.run(['dnc', 'remove', id])).toMatchObject({ code: 2, stdout: '' })
    expect(await at.data('dnc', 'remove', id, '--yes')).toMatchObject({ phone: '+12125557813' })
    expect(await at.data('dnc', 'check', '+12125557813')).toMatchObject({ onDncList: false })
  })
})
