/** Calls started and listened to, files made and saved, and the month's usage, from the command line. */
import { existsSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../support/programs/svc-at.js'
import { download } from '../support/download.js'

/** A lead that was talked to for a minute. */
async function called(at: SvcAt): Promise<{ lead: string; call: string }> {
  const phone = at.simulation.phone()
  await at.simulation.script(phone, { answer: 'person', outcome: 'interested', talk_seconds: 60 })
  const { id: lead } = await at.simulation.lead({ phone, external_id: 'crm-42' })
  await at.simulation.advance('10m')
  return { lead, call: (await at.simulation.readLead(lead)).calls[0]?.id ?? '' }
}

describe('calls start', () => {
  it("puts a lead in front, named by its id or by the caller's own", async () => {
    const at = await SvcAt.start()
    const { lead } = await called(at)
    expect(await at.data('calls', 'start', '--lead', lead)).toMatchObject({
      lead_id: lead,
      status: 'dialing',
      calls_left_today: 2,
    })
    await at.simulation.advance('10m')
    const { campaignId } = at.simulation
    expect(await at.data('calls', 'start', '--external-id', 'crm-42', '--campaign', campaignId)).toMatchObject({
      lead_id: lead,
      calls_left_today: 1,
    })
  })

  it('wants the one or the other', async () => {
    const at = await SvcAt.start()
    expect(await at.run(['calls', 'start'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^Error: Missing: --lead\.\n {2}Name the lead by its id or phone, or by your own id with --external-id\. For example: svc calls start --lead /,
      ) as string,
    })
    expect(await at.run(['calls', 'start', '--lead', 'a', '--external-id', 'b'])).toMatchObject({ code: 2, stdout: '' })
  })
})

describe('calls recording', () => {
  it('prints a link that works, and nothing else', async () => {
    const at = await SvcAt.start()
    const { call } = await called(at)
    const link = (await at.text('calls', 'recording', call)).trim()
    expect((await download(link)).bytes.subarray(0, 4).toString()).toBe('RIFF')
    expect(await at.data('calls', 'recording', call)).toMatchObject({
      url: expect.stringMatching(/^http/) as string,
      livemode: true,
    })
  })

  it('follows no link that was put where a download may be written first', async () => {
    const at = await SvcAt.start()
    const { call } = await called(at)
    const [file, other] = ['call.wav', 'other.txt'].map((name) => join(at.svc.folder, name)) as [string, string]
    writeFileSync(other, 'kept')
    symlinkSync(other, `${file}.part`)
    expect(await at.text('calls', 'recording', call, '--download', file)).toBe('')
    expect(readFileSync(other, 'utf8')).toBe('kept')
    expect(existsSync(`${file}.part`)).toBe(true)
  })

  it('saves the recording whole, and leaves nothing half where it cannot', async () => {
    const at = await SvcAt.start()
    const { call } = await called(at)
    const file = join(at.svc.folder, 'call.wav')
    expect(await at.text('calls', 'recording', call, '--download', file)).toBe('')
    const saved = readFileSync(file)
    expect(saved.readUInt32LE(4)).toBe(saved.length - 8)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readdirSync(at.svc.folder).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(await at.data('calls', 'recording', call, '--download', file)).toMatchObject({ livemode: true })
    const piped = await at.svc.shell(`svc calls recording ${call} --download - --json | wc -c`, { env: at.env })
    expect(piped.stdout.trim()).toBe(String(saved.length))
    const pipe = await at.svc.shell(
      `mkfifo pipe && (wc -c < pipe & (svc calls recording ${call} --download pipe) && wait) && test -p pipe`,
      { env: at.env },
    )
    expect(pipe).toMatchObject({ code: 0, stdout: expect.stringContaining(String(saved.length)) as string })
    for (const [name, says] of [
      [join(at.svc.folder, 'nowhere', 'call.wav'), 'there is no such folder'],
      [at.svc.folder, 'it is a folder'],
    ] as const) {
      const ran = await at.run(['calls', 'recording', call, '--download', name])
      expect(ran).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(says) as string })
    }
  })
})

describe('exports', () => {
  it('are not made where their file cannot be saved', async () => {
    const at = await SvcAt.start()
    for (const file of [join(at.svc.folder, 'nowhere', 'leads.csv'), ''])
      expect(await at.run(['exports', 'create', '--type', 'leads', '--download', file])).toMatchObject({ code: 2 })
    expect(await at.data('exports', 'list')).toEqual([])
  })

  it('are made, listed, and saved to a file or to standard output', async () => {
    const at = await SvcAt.start()
    const { lead } = await called(at)
    const file = join(at.svc.folder, 'leads.csv')
    const made = await at.data<{ export: { id: string; rowCount: number } }>(
      'exports',
      'create',
      '--type',
      'leads',
      '--download',
      file,
    )
    expect(made.export.rowCount).toBe(1)
    expect(readFileSync(file, 'utf8')).toContain(lead)
    expect(await at.text('exports', 'list', '--columns', 'id', '--no-header')).toBe(`${made.export.id}\n`)
    const narrow = ['--campaign', at.simulation.campaignId, '--start-date', '2026-10-01', '--end-date', '2026-10-01']
    expect(await at.text('exports', 'create', '--type', 'call_history', ...narrow, '--download', '-')).toMatch(
      /^lead\.phone,[^]*interested/,
    )
  })
})

describe('usage', () => {
  it('shows the month, its parts, and bars', async () => {
    const at = await SvcAt.start()
    await called(at)
    expect(await at.data('usage')).toMatchObject({
      period: '2026-10',
      totals: { calls: 1, calls_connected: 1, minutes: 1 },
    })
    const rows = await at.text('usage', '--group-by', 'day', '--columns', 'day,calls,minutes')
    expect(rows).toBe('day\tcalls\tminutes\n2026-10-01\t1\t1\n')
    const chart = await at.text('usage', '--chart')
    expect(chart).toContain('Calls in 2026-10 (America/New_York): 1, answered 1; 1 min, $')
    expect(chart).toMatch(/^2026-10-01 {2}█+ +1 call, 1 min/m)
    expect(await at.text('usage', '--period', '2026-09', '--chart')).toContain('Nothing was used.')
  })
})
