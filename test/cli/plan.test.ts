/** `plan`: its answer, table and documents, what it refuses, and that it only reads. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PlanResult } from '../../src/cli/plan/report/plan-result.js'
import type { LoggedRequest } from '../../src/contract/control/records.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { Svc } from '../support/programs/svc.js'

/** A Monday, 09:00 in New York. */
const monday = '2026-11-23T14:00:00Z'
const start = () => SvcAt.start({ now: monday })
const office = ['--hours', 'mon-fri 09:00-18:00', '--attempts', '3']
const some = ['plan', '--leads', '60', ...office]

async function planOf(at: SvcAt, ...words: string[]): Promise<PlanResult> {
  return JSON.parse(await at.text(...words, '--json')) as PlanResult
}

const rowsOf = ({ table }: PlanResult) => table.map(({ lines, makes_deadline }) => [lines, makes_deadline])

function fileOf(at: SvcAt, name: string, content: string): string {
  writeFileSync(join(at.svc.folder, name), content)
  return name
}

describe('plan', () => {
  it('finds the smallest number of lines that makes the deadline, and a table around it', async () => {
    const at = await start()
    const plan = await planOf(at, 'plan', '--leads', '300', ...office, '--by', '2026-11-30 17:00', '--seeds', '2')
    const found = plan.table.find(({ lines }) => lines === plan.lines)!
    expect(plan.deadline).toBe('2026-11-30T22:00:00.000Z')
    expect(found.makes_deadline).toBe(true)
    expect(Date.parse(found.done_by!)).toBeLessThanOrEqual(Date.parse(plan.deadline!))
    for (const row of plan.table) if (row.lines > plan.lines!) expect(row.makes_deadline).toBe(true)
    expect(plan).toMatchObject({ leads: { total: 300, callable: 300 }, unreachable: [], complete: true })
  })

  it('compares the numbers that are asked for, which make the same calls', async () => {
    const at = await start()
    const plan = await planOf(at, ...some, '--lines', '1,8', '--seeds', '2', '--rate-usd', '0.12')
    expect(rowsOf(plan)).toEqual([
      [1, null],
      [8, null],
    ])
    const [one, eight] = plan.table
    for (const name of ['calls', 'minutes', 'reached', 'interested', 'cost_usd'] as const)
      expect(eight![name]).toBe(one![name])
    expect(one!.cost_usd).toBeGreaterThan(0)
    expect(one!.busy_hours).toBeGreaterThan(eight!.busy_hours)
    expect(one!.binds).toMatch(/^(lines|hours|retries|nothing)$/)
  })

  it('gives the same plan for the same seed, and another one for another seed', async () => {
    const at = await start()
    const words = [...some, '--lines', '2', '--seeds', '1']
    const [plan, again, other] = [
      await planOf(at, ...words),
      await planOf(at, ...words),
      await planOf(at, ...words, '--seed', '9'),
    ]
    expect(again).toEqual(plan)
    expect(other.table).not.toEqual(plan.table)
  })

  it('begins with the answer in a sentence, and ends with the assumptions', async () => {
    const at = await start()
    const { code, stdout } = await at.run([
      ...some,
      '--lines',
      '2,4',
      '--by',
      '2026-12-04',
      '--seeds',
      '1',
      '--chart',
      '-o',
      'table',
    ])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^2 lines make it by the end of Fri 2026-12-04 EST: all 60 leads are done by \w{3} \d\d-\d\d \d\d:\d\d in the/,
    )
    expect(stdout).toMatch(/^Lines +Done by +Held back by +Calls/m)
    expect(stdout).toMatch(/^> 2 /m)
    expect(stdout).toContain('Calls an hour with 2 lines, America/New_York')
    expect(stdout).toContain('  calling hours  Mon-Fri 09:00-18:00, in the time zone of each lead\n')
    expect(stdout).toContain('  talk           86 s on average when a person answers\n')
    expect(stdout).toContain('  rate           unknown\n')
  })

  it('is rows in a pipe, with the answer on stderr', async () => {
    const at = await start()
    const { stdout, stderr } = await at.run([...some, '--lines', '2', '--seeds', '1'])
    const [header, row, ...rest] = stdout.trimEnd().split('\n')
    expect(header).toBe(
      'lines\tdone_by\tmakes_deadline\tdone_by_deadline\treached\tinterested\tcalls\tminutes\tcost_usd\tbusy_hours\tbinds\tbinds_certain\tcap_reached',
    )
    expect(row).toMatch(/^2\t2026-1[12]-\d\dT/)
    expect(rest).toEqual([])
    expect(stderr).toMatch(/^With 2 lines, all 60 leads are done by /m)
    const picked = await at.text(...some, '--lines', '2', '--seeds', '1', '-o', 'csv', '--columns', 'lines,binds')
    expect(picked).toMatch(/^lines,binds\r?\n2,\w+\r?\n$/)
  })

  it('uses the settings of a campaign, by name or id, and its lines', async () => {
    const at = await start()
    const { id } = await at.simulation.campaign({ name: 'Roofs', lines: 3, max_attempts: 2, status: 'paused' })
    const plan = await planOf(at, 'plan', '--leads', '40', '--campaign', 'Roofs', '--seeds', '1')
    expect(plan.assumptions).toMatchObject({ campaign: { id, name: 'Roofs' }, max_attempts: 2 })
    expect(plan.current_lines).toBe(3)
    expect(plan.table.map(({ lines }) => lines)).toContain(3)
    expect(plan.assumptions.notes.join(' ')).toContain('The campaign is paused')
  })
})

describe('plan with a file', () => {
  it('reads it as an import does, and groups the leads that are never called', async () => {
    const at = await start()
    const rows = [
      'Ann,(212) 201-1000',
      'Bob,+1 415 201 1000',
      'Cat,nonsense',
      'Dan,9005551234',
      'Eve,2122011000',
      'Fay',
      'Gus,18765551234',
    ]
    const file = fileOf(at, 'people.csv', `Full Name;Mobile Phone\n${rows.join('\n').replaceAll(',', ';')}\n`)
    const plan = await planOf(at, 'plan', file, '--lines', '1', '--seeds', '1', '--attempts', '1')
    expect(plan.leads).toEqual({ total: 7, callable: 2 })
    expect(plan.unreachable.map(({ line, reason }) => [line, reason])).toEqual([
      [4, 'invalid_phone'],
      [5, 'premium'],
      [6, 'duplicate_lead'],
      [7, 'unreadable_row'],
      [8, 'international'],
    ])
    const { stdout } = await at.run(['plan', file, '--lines', '1', '--seeds', '1', '-o', 'table'])
    expect(stdout).toContain('Never called: 5 of 7 leads\n')
    expect(stdout).toContain('  1  premium-rate number (line 5)\n')
  })

  it('--check-dnc leaves out listed numbers, from the pages of the list', async () => {
    const at = await start()
    const phones = Array.from({ length: 130 }, (_, nth) => `+1212201${1000 + nth}`)
    await at.client.post('/dnc/batch', { phones: phones.slice(0, 70) })
    await at.client.post('/dnc/batch', { phones: phones.slice(70) })
    const file = fileOf(at, 'people.csv', `phone\n${phones.join('\n')}\n+14152011000\n`)
    const plan = await planOf(at, 'plan', file, '--lines', '1', '--seeds', '1', '--check-dnc')
    expect(plan.leads).toEqual({ total: 131, callable: 1 })
    expect(plan.unreachable.every(({ reason }) => reason === 'on_dnc_list')).toBe(true)
  })

  it('refuses a file that cannot be read, has no leads, or has no phone column', async () => {
    const at = await start()
    const refused = async (name: string, content?: string) => {
      if (content !== undefined) fileOf(at, name, content)
      const { code, stdout, stderr } = await at.run(['plan', name])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      return stderr
    }
    expect(await refused('missing.csv')).toContain('missing.csv')
    expect(await refused('empty.csv', '')).toContain('empty.csv is empty')
    expect(await refused('header.csv', 'phone,name\n')).toContain('header.csv has no leads')
    expect(await refused('none.csv', 'city,name\nRome,Ann\n')).toContain('phone')
    expect(await refused('binary.csv', '\0\0\u0001\u0002\0')).toContain('is not text')
  })
})

describe('plan exits 5', () => {
  it('with the plan on stdout and the error on stderr when no number of lines makes the deadline', async () => {
    const at = await start()
    const { code, stdout, stderr } = await at.run([...some, '--by', '2026-11-23 10:00', '--seeds', '1', '--json'])
    expect(code).toBe(5)
    const plan = JSON.parse(stdout) as PlanResult
    expect(plan.lines).toBeNull()
    expect(plan.relief.map(({ rule }) => rule)).toEqual(['retries', 'hours'])
    expect(plan.table[0]!.done_by_deadline).toBeGreaterThan(0)
    expect(plan.table[0]!.done_by_deadline).toBeLessThan(60)
    const { error, exit_code } = JSON.parse(stderr) as { error: Record<string, string>; exit_code: number }
    expect(exit_code).toBe(5)
    expect(error).toMatchObject({ code: 'refused' })
    expect(error['message']).toMatch(/^No number of lines makes it by Mon 2026-11-23 10:00 EST\.$/)
    expect(error['hint']).toContain('No single rule would be enough (retries, hours)')
  })

  it('and names the rule that would have to give', async () => {
    const at = await start()
    // The first call of each lead fits into the day; its retries do not.
    const words = ['--mix', 'voicemail=100', '--by', '2026-11-23 20:00', '--seeds', '1', '-o', 'table']
    const { code, stdout, stderr } = await at.run([...some, ...words])
    expect(code).toBe(5)
    expect(stdout).toMatch(
      /^Too late: with \d+ lines, all 60 leads are done by .* At the deadline, Mon 2026-11-23 20:00 EST, 0 of 60 \(0%\) are done\.$/m,
    )
    // The error says the rest, and repeats nothing.
    expect(stdout).not.toContain('1 attempt')
    expect(stderr).toMatch(/^Error: No number of lines makes it by Mon 2026-11-23 20:00 EST\.$/m)
    expect(stderr).toContain('It is made with 1 attempt instead of 3 (by Mon 11-23 ')
  })

  it('and names the most attempts that make the deadline', async () => {
    const at = await start()
    const planned = (attempts: number) =>
      at.run([
        ...['plan', '--leads', '60', '--hours', 'mon-fri 09:00-18:00'],
        ...['--mix', 'voicemail=100', '--by', '2026-11-25 20:00', '--seeds', '1'],
        ...['--attempts', `${attempts}`, '-o', 'table'],
      ])
    const { code, stderr } = await planned(6)
    const most = Number(/It is made with (\d) attempts instead of 6/.exec(stderr)?.[1])
    expect({ code, stderr, most }).toMatchObject({ code: 5, most: expect.any(Number) as number })
    expect([(await planned(most)).code, (await planned(most + 1)).code]).toEqual([0, 5])
  })

  it('when more lines would help, and says so', async () => {
    const at = await start()
    const words = [
      '--mix',
      'no_answer=100',
      '--attempts',
      '1',
      '--lines',
      '1',
      '--by',
      '2026-11-23 09:20',
      '--seeds',
      '1',
    ]
    const { code, stderr } = await at.run(['plan', '--leads', '60', '--areas', '212', ...words])
    expect(code).toBe(5)
    expect(stderr).toContain('None of 1 lines makes it by Mon 2026-11-23 09:20 EST.')
    expect(stderr).toContain('with more lines')
  })

  it('when the spend cap ends the calling, with or without a deadline', async () => {
    const at = await start()
    await at.simulation.campaign({ name: 'Capped', spend_cap_usd: 1 })
    const words = ['plan', '--leads', '60', '--campaign', 'Capped', '--rate-usd', '0.5', '--lines', '3', '--seeds', '1']
    for (const more of [[], ['--by', '2026-12-04 17:00']]) {
      const { code, stdout, stderr } = await at.run([...words, ...more, '--json'])
      expect(code).toBe(5)
      const plan = JSON.parse(stdout) as PlanResult
      expect(plan.table[0]).toMatchObject({ done_by: null, binds: 'cap', cap_reached: true })
      expect(stderr).toContain('The spend cap of $1 ends the calling.')
    }
    const raised = await planOf(at, ...words.map((word) => (word === '0.5' ? '0.0001' : word)))
    expect(raised.table[0]!.cap_reached).toBe(false)
  })

  it('when no lead can ever be called', async () => {
    const at = await start()
    const { code, stdout, stderr } = await at.run(['plan', '--leads', '5', '--hours', 'mon 05:00-07:00', '-o', 'table'])
    expect(code).toBe(5)
    expect(stdout).toContain('None of the 5 leads can ever be called.')
    expect(stdout).toContain('the calling hours never open in its time zones')
    expect(stderr).toContain('None of the leads can be called.')
    fileOf(at, 'bad.csv', 'phone\n12\nabc\n')
    const piped = await at.run(['plan', 'bad.csv'])
    expect(piped.code).toBe(5)
    expect(piped.stderr).toContain('2 leads: not a telephone number that can be called (line 2, 3).')
  })
})

describe('plan refuses', () => {
  it.each([
    [['--leads', 'no.csv'], 2, 'no.csv'],
    [['--leads=no.csv', '--lines', '2'], 2, 'no.csv'],
    [['--leads', '1.5'], 2, 'not a whole number'],
    [['--leads', '0'], 2, '--leads'],
    [['--leads', '-5'], 2, '--leads'],
    [['--leads', '99999999999'], 2, 'at most 1,000,000'],
    [['--leads', '10', '--lines', '-5'], 2, 'is not a number of lines'],
    [['--leads', '10', '--lines', '0'], 2, 'is not a number of lines'],
    [['--leads', '10', '--lines', '999999999999'], 2, 'is not a number of lines'],
    [['--leads', '10', '--attempts', '0'], 2, '--attempts'],
    [['--leads', '10', '--seeds', '0'], 2, '--seeds'],
    [['--leads', '10', '--mix', 'answered=10'], 2, 'adds up to 10, not to 100'],
    [['--leads', '10', '--areas', '999:1'], 2, 'there is no area code 999'],
    [['--leads', '10', '--by', '2020-01-01 10:00'], 2, 'is not after the start'],
    [['--leads', '10', '--by', '2026-11-27 17:00 Mars/Phobos'], 2, 'Mars/Phobos is not a time zone'],
    [['--leads', '10', '--by', 'soon'], 2, 'is not a date with a time'],
    [['--leads', '10', '--hours', 'always'], 2, 'is not a week of calling hours'],
    [['--leads', '10', '--campaign', 'Nobody'], 2, 'no such campaign'],
    [['--leads', '10', '--campaign', '8a1e3f0c-9c58-4c3b-9d53-1f0a5b7c2e11'], 3, 'not_found'],
    [['--leads', '10', '--calibrate', '30d'], 2, 'found 0 ended calls'],
    [['--leads', '10', '--columns', 'nosuch'], 2, 'no column "nosuch"'],
    [['people.csv', '--leads', '10'], 2, 'do not go together'],
    [['people.csv', '--areas', '212'], 2, '--leads'],
    [[], 2, 'No leads to plan'],
  ])('%j', async (words, code, problem) => {
    const at = await start()
    const ran = await at.run(['plan', ...words])
    expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code, stdout: '' })
    expect(ran.stderr).toContain(problem)
  })
})

describe('plan and the deployment', () => {
  it('sends nothing but GET, and changes nothing', async () => {
    const at = await start()
    const file = fileOf(at, 'people.csv', 'phone\n2122011000\n4152011000\n')
    const words = ['--campaign', 'Web leads', '--check-dnc', '--by', '2026-12-04 17:00', '--seeds', '1']
    await at.text('plan', file, ...words, '--json')
    const logged = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests')
    const own = logged.filter(({ key_id }) => key_id === at.client.key.key_id)
    expect(own.map(({ path }) => path.split('?')[0])).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/\/campaigns\//),
        expect.stringMatching(/\/usage$/),
        expect.stringMatching(/\/dnc$/),
      ]),
    )
    expect(new Set(logged.map(({ method }) => method))).toEqual(new Set(['GET']))
    expect(await at.client.all('/leads')).toEqual([])
  })

  it('takes the rate from the usage, and does not know it for a test key', async () => {
    const at = await start()
    await at.simulation.script('+12122011000', { answer: 'person', talk_seconds: 100 })
    await at.simulation.lead({ phone: '+12122011000' })
    await at.simulation.advance('30m')
    const plan = await planOf(at, ...some, '--lines', '2', '--seeds', '1')
    expect(plan.assumptions).toMatchObject({ rate_usd_per_minute: 0.12, rate_from: 'the usage of 2026-11' })
    expect(plan.table[0]!.cost_usd).toBeCloseTo(plan.table[0]!.minutes * 0.12, 1)
    const test = await SvcAt.start({ now: monday }, 'test')
    const unknown = await planOf(test, ...some, '--lines', '2', '--seeds', '1')
    expect(unknown.table[0]!.cost_usd).toBeNull()
    expect(unknown.assumptions.notes.join(' ')).toContain('Test calls are never billed')
  })

  it('is not needed for a plan without a campaign', async () => {
    const svc = new Svc()
    const { code, stdout } = await svc.run([...some, '--lines', '2', '--seeds', '1', '--start', '2026-11-23', '--json'])
    expect(code).toBe(0)
    const plan = JSON.parse(stdout) as PlanResult
    expect(plan.assumptions.notes.join(' ')).toContain('Not logged in')
    expect((await svc.run(['plan', '--leads', '5', '--campaign', 'Web leads'])).code).toBe(4)
  })
})

describe('plan --calibrate', () => {
  it('fits the calls of the deployment, and says when there is too little history for a back-test', async () => {
    const at = await start()
    const leads = Array.from({ length: 80 }, (_, nth) => ({ phone: `+1212201${1000 + nth}` }))
    await at.simulation.control('POST', '/_sim/leads', { campaign_id: at.simulation.campaignId, leads })
    await at.simulation.advance('48h')
    const plan = await planOf(at, ...some, '--calibrate', '7d', '--lines', '2', '--seeds', '1')
    const { calls, attempts, back_test, back_test_missing } = plan.calibration!
    expect(calls).toBeGreaterThan(80)
    expect(attempts[0]!.calls).toBe(80)
    expect(plan.assumptions.mix_from).toBe('calibration')
    expect(back_test).toBeNull()
    expect(back_test_missing).toContain('Too little history')
  })

  it('shows the last days as they were, next to the same leads simulated', async () => {
    const at = await start()
    for (let day = 0; day < 6; day++) {
      const leads = Array.from({ length: 60 }, (_, nth) => ({ phone: `+1212${301 + day}${1000 + nth}` }))
      await at.simulation.control('POST', '/_sim/leads', { campaign_id: at.simulation.campaignId, leads })
      await at.simulation.advance('24h')
    }
    const plan = await planOf(at, ...some, '--calibrate', '14d', '--lines', '2', '--seeds', '1')
    const days = plan.calibration!.back_test!
    expect(days.length).toBeGreaterThan(0)
    const sum = (name: 'calls' | 'simulated_calls') => days.reduce((total, day) => total + day[name], 0)
    expect(sum('simulated_calls') / sum('calls')).toBeGreaterThan(0.6)
    expect(sum('simulated_calls') / sum('calls')).toBeLessThan(1.6)
    const { stdout } = await at.run([...some, '--calibrate', '14d', '--lines', '2', '--seeds', '1', '-o', 'table'])
    expect(stdout).toMatch(/^Back-test\nday +calls +simulated +answered +simulated$/m)
  })
})

describe('plan, interrupted', () => {
  it('prints what is known so far and exits 130', async () => {
    const at = await start()
    const asked = async () => {
      const logged = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests')
      return logged.some(({ path }) => path.includes('/usage'))
    }
    const interrupted = expect.poll(asked).toBe(true)
    const { code, stdout, stderr } = await at.run(
      ['plan', '--leads', '20000', '--by', '2026-12-04 17:00', '-o', 'table'],
      { interrupted },
    )
    expect(code).toBe(130)
    expect(stdout === '' || stdout.includes('was stopped')).toBe(true)
    expect(stderr).toContain('Stopped. Nothing was changed.')
  })
})
