/** Repeated imports add no lead twice, no matter what ended the first run. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Event } from '../../../src/contract/events.js'
import { ImportAt, numberOf, type Imported } from '../../support/programs/import-at.js'
import type { RunningSvc } from '../../support/programs/svc.js'

/** A campaign in which a lead that is sent a second time is put back in the queue, for all to see. */
async function withoutWindow(): Promise<ImportAt> {
  const at = await ImportAt.start()
  await at.simulation.changeCampaign({ duplicate_window_days: 0, lines: 0 })
  return at
}

/** How often each number came into the queue. */
async function queued(at: ImportAt): Promise<string[]> {
  const events = await at.simulation.events(at.at.client)
  return events
    .filter((event): event is Event & { data: { object: { phone: string } } } => event.type === 'lead.queued')
    .map(({ data }) => data.object.phone)
}

const numbers = (count: number) => Array.from({ length: count }, (_, n) => numberOf(n))

/** Waits until the service received a number of batches, or the program ended. */
async function gotBatches(at: ImportAt, running: RunningSvc, count: number): Promise<void> {
  let isRunning = true
  void running.end().then(() => (isRunning = false))
  while (isRunning && (await at.batches(count)).length < count) await new Promise((resolve) => setTimeout(resolve, 10))
}

const slow = { method: 'POST', path: '/leads/batch', latency_ms: 30, count: 1000 }
const cutAfterCommit = (count: number) => ({
  method: 'POST',
  path: '/leads/batch',
  drop: true,
  after_commit: true,
  count,
})

describe('the same file again', () => {
  it('within a day is answered as before, row by row', async () => {
    const at = await withoutWindow()
    const file = at.file('people.csv', `phone\n${numbers(150).join('\n')}\n12\n`)
    const first = await at.imported(file)
    expect(first).toMatchObject({ added: 150, refused: 1, by_code: { invalid_phone: 1 } })
    const ran = await at.run(file)
    expect(ran).toMatchObject({ code: 6, stdout: expect.stringContaining('\n0\t0\t1\t150\t') as string })
    expect(ran.stderr).toContain('150 leads already added earlier, 1 row not added: 1 invalid number (line 152).')
    expect(await queued(at)).toEqual(numbers(150))
  })

  it('is the same by its content, whatever its name and wherever it comes from', async () => {
    const at = await withoutWindow()
    const content = `phone\n${numbers(70).join('\n')}\n`
    await at.imported(at.file('people.csv', content))
    expect(await at.imported(at.file('copy.csv', content))).toMatchObject({ added: 0, already_added: 70 })
    expect(await at.imported('-', [], { stdin: content })).toMatchObject({ already_added: 70 })
    expect(await queued(at)).toEqual(numbers(70))
  })

  it('is the same by its leads: a changed column that is not sent adds nobody again', async () => {
    const at = await withoutWindow()
    const file = (town: string) => at.file(`${town}.csv`, `phone,town\n${numbers(70).join(`,${town}\n`)},${town}\n`)
    expect(await at.imported(file('Albany'))).toMatchObject({ added: 70, already_added: 0 })
    expect(await at.imported(file('Troy'))).toMatchObject({ added: 0, already_added: 70 })
    expect(await queued(at)).toEqual(numbers(70))
  })

  it('after a day is refused row by row', async () => {
    const at = await ImportAt.start()
    await at.simulation.changeCampaign({ lines: 0 })
    const file = at.leads(70)
    await at.imported(file)
    await at.simulation.advance('25h')
    expect(await at.imported(file)).toMatchObject({ added: 0, refused: 70, by_code: { duplicate_lead: 70 } })
  })

  it('into another campaign is another import', async () => {
    const at = await withoutWindow()
    const file = at.leads(70)
    await at.imported(file)
    const { id } = await at.simulation.campaign({ lines: 0 })
    const ran = await at.at.run(['leads', 'import', file, '--campaign', id, '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 70 })
    expect(await at.taken()).toHaveLength(140)
  })

  it('with --resume once it is whole says what became of it, and sends nothing', async () => {
    const at = await ImportAt.start()
    const file = at.file('people.csv', `phone\n${numberOf(0)}\n12\n`)
    await at.imported(file)
    const before = (await at.batches()).length
    const ran = await at.run(file, ['--resume', '--json'])
    expect(ran.code).toBe(6)
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 1, refused: 1, failed_file: 'people.failed.csv' })
    expect(await at.batches()).toHaveLength(before)
  })

  it('begins at the first row with --resume where no earlier run is known', async () => {
    const at = await ImportAt.start()
    const ran = await at.run(at.leads(3), ['--resume'])
    expect(ran).toMatchObject({
      code: 0,
      stderr: 'No earlier run of this import is known: it begins at the first row.\n3 leads added.\n',
    })
  })
})

describe('Ctrl-C', () => {
  it('stops at once, says what was done and what to type to go on', async () => {
    const at = await ImportAt.start({ limits: true })
    const running = at.at.svc.start(at.words(at.leads(70), ['--map', 'name=name']), at.at.env)
    await running.says(/takes about 60 new leads a minute/)
    const { code, stdout, stderr } = await running.kill('SIGINT')
    expect({ code, stdout }).toMatchObject({ code: 130, stdout: expect.stringContaining('\n60\t0\t0\t') as string })
    const [, command = ''] = /Stopped after 60 of 70 rows\. Go on with: (.*)\n$/.exec(stderr) ?? []
    const limits = { leads_per_minute: 500, requests_per_minute: 1_000, burst: 1_000 }
    await at.simulation.control('PATCH', `/_sim/keys/${at.at.client.key.key_id}`, { limits })
    const again = await at.at.svc.shell(`${command} --rate 500 --json`, { env: at.at.env })
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 70 })
    expect((await at.taken()).map(({ phone }) => phone)).toEqual(numbers(70))
  })

  it('says so in one document where a program reads along', async () => {
    const at = await ImportAt.start({ limits: true })
    const running = at.at.svc.start(at.words(at.leads(70), ['--json']), at.at.env)
    await gotBatches(at, running, 2)
    const { code, stdout, stderr } = await running.kill('SIGINT')
    expect(code).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ added: 60 })
    const told = {
      code: 'interrupted',
      message: 'Stopped after 60 of 70 rows.',
      hint: expect.stringContaining('--resume') as string,
    }
    expect(JSON.parse(stderr)).toEqual({ error: told, exit_code: 130 })
  })
})

describe('an import that was ended', () => {
  it('is not begun a second time while it goes on', async () => {
    const at = await ImportAt.start({ limits: true })
    const file = at.leads(70)
    const running = at.at.svc.start(at.words(file), at.at.env)
    await running.says(/takes about 60 new leads a minute/)
    const second = await at.run(file)
    expect(second).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('under way already') as string,
    })
    await running.kill()
    expect(await at.run(file, ['--max-wait', '0'])).toMatchObject({
      code: 7,
      stderr: expect.stringContaining('An earlier run stopped after line 61.') as string,
    })
  })

  it('by a connection that broke once the batch was taken goes on, and counts each lead once', async () => {
    const at = await withoutWindow()
    const file = at.leads(200)
    await at.simulation.control('POST', '/_sim/faults', cutAfterCommit(6))
    const broken = await at.run(file)
    expect(broken).toMatchObject({ code: 8, stderr: expect.stringContaining('broke the connection') as string })
    expect(await at.imported(file, ['--resume'])).toMatchObject({ added: 200, requeued: 0, refused: 0 })
    expect(await queued(at)).toEqual(numbers(200))
  })

  it('anywhere, in any way, adds each lead once in the end, and has each refused row once in its file', async () => {
    const ends = fc.record({
      how: fc.constantFrom<'SIGKILL' | 'SIGINT' | 'cut'>('SIGKILL', 'SIGINT', 'cut'),
      after: fc.integer({ min: 1, max: 40 }),
      resume: fc.boolean(),
      rate: fc.constantFrom([], ['--rate', '6000'], ['--rate', '6001']),
    })
    await fc.assert(
      fc.asyncProperty(
        fc.array(ends, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 60, max: 180 }),
        async (cuts, count) => {
          const at = await withoutWindow()
          const isBad = (n: number) => n % 37 === 5
          const phone = (n: number) => (isBad(n) ? '9'.repeat(n % 2 === 0 ? 40 : 4) : numberOf(n))
          const rows = Array.from({ length: count }, (_, n) => `${n},${phone(n)}`)
          const file = at.file('people.csv', `name,phone\n${rows.join('\n')}\n`)
          for (const { how, after, resume, rate } of cuts) {
            const before = (await at.batches()).length
            await at.simulation.control('POST', '/_sim/faults', how === 'cut' ? cutAfterCommit(4) : slow)
            const running = at.at.svc.start(at.words(file, [...(resume ? ['--resume'] : []), ...rate]), at.at.env)
            if (how !== 'cut') {
              await gotBatches(at, running, before + after)
              await running.kill(how)
            }
            await running.end()
            await at.simulation.control('DELETE', '/_sim/faults')
          }
          const { stdout } = await at.run(file, ['--resume', '--json'])
          const bad = [...Array(count).keys()].filter(isBad)
          const { added, already_added, ...others } = JSON.parse(stdout) as Imported
          expect(added + already_added).toBe(count - bad.length)
          expect(others).toMatchObject({ requeued: 0, refused: bad.length })
          expect(at.refused().map(({ _line }) => Number(_line) - 2)).toEqual(bad)
          expect(await queued(at)).toEqual(numbers(count).filter((_, n) => !isBad(n)))
          await at.simulation.simulator.close()
        },
      ),
      { numRuns: 6 },
    )
  }, 120_000)
})
