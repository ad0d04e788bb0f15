/** Numbers put on the Do Not Call list from a file. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { DncEntry } from '../../../../src/contract/dnc.js'
import type { LoggedRequest } from '../../../../src/contract/control/records.js'
import { numberOf } from '../../../support/programs/import-at.js'
import { SvcAt } from '../../../support/programs/svc-at.js'

const write = (at: SvcAt, content: string, name = 'numbers.csv'): string => {
  writeFileSync(join(at.svc.folder, name), content)
  return name
}
const listed = async (at: SvcAt) =>
  (await at.client.all<DncEntry>('/dnc', 'cursor')).map(({ phone }) => phone).reverse()
const numbers = (count: number) => Array.from({ length: count }, (_, n) => numberOf(n))
const sizes = async (at: SvcAt) => {
  const log = await at.simulation.control<LoggedRequest[]>('GET', '/_sim/requests?path=/dnc/batch')
  return log.map(({ request_body }) => (request_body as { phones: string[] }).phones.length).reverse()
}

const [one, two, three] = numbers(3) as [string, string, string]

describe('svc dnc import', () => {
  it.each([
    ['a column of that name among others', `Name,Phone\nAnn,${one}\nBo,(646) 201-1001\n`],
    ['a column of a common name', `Mobile;Why\n${one};asked\n"${two}";asked\n`],
    ['one number a line', `${one}\n646.201.1001\n`],
    ['JSON lines', `{"phone":"${one}","why":"asked"}\n{"phone":"${two}"}\n`],
  ])('reads %s', async (_what, content) => {
    const at = await SvcAt.start()
    const ran = await at.run(['dnc', 'import', write(at, content), '--json'])
    expect(ran.code).toBe(0)
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 2, refused: 0, would_add: 0, by_code: {}, failed_file: null })
    expect(await listed(at)).toEqual([one, two])
  })

  it('sends a hundred at most at once, in order', async () => {
    const at = await SvcAt.start()
    const ran = await at.run(['dnc', 'import', '-', '--json'], { stdin: numbers(250).join('\n') })
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 250 })
    expect(await sizes(at)).toEqual([100, 100, 50])
    expect(await listed(at)).toEqual(numbers(250))
  })

  it('writes down what is no number, and what is listed already, and exits 6', async () => {
    const at = await SvcAt.start()
    await at.client.post('/dnc', { phone: two })
    const bad = '9'.repeat(40)
    const content = `phone,note\n${one},a\n${two},b\n12,c\n${one},d\n${bad},e\n+15550100001,f\n${three},"g\nh"\n,i\n`
    const ran = await at.run(['dnc', 'import', write(at, content), '--json'])
    expect(ran.code).toBe(6)
    expect(JSON.parse(ran.stdout)).toEqual({
      undo: expect.stringMatching(/^svc dnc remove --from-import [0-9a-f]{32}$/) as string,
      would_add: 0,
      added: 2,
      refused: 6,
      by_code: { duplicate_dnc_entry: 2, invalid_phone: 2, invalid_request: 1, missing_phone: 1 },
      failed_file: 'numbers.failed.csv',
    })
    const failed = readFileSync(join(at.svc.folder, 'numbers.failed.csv'), 'utf8').trim().split('\n')
    expect(failed[0]).toBe('phone,note,_line,_code,_message')
    expect(failed.slice(1).map((line) => line.split(',').slice(0, 4).join(','))).toEqual([
      `${two},b,3,duplicate_dnc_entry`,
      '12,c,4,invalid_phone',
      `${one},d,5,duplicate_dnc_entry`,
      `${bad},e,6,invalid_request`,
      '+15550100001,f,7,invalid_phone',
      ',i,10,missing_phone',
    ])
    expect(await listed(at)).toEqual([two, one, three])
  })

  it('lists again what was taken off since: an answer of before is none', async () => {
    const at = await SvcAt.start()
    const file = write(at, `phone\n${one}\n${two}\n`)
    await at.run(['dnc', 'import', file])
    const { data } = await at.client.get<DncEntry[]>('/dnc')
    await at.client.del(`/dnc/${data.find(({ phone }) => phone === one)?.id ?? ''}`)
    const ran = await at.run(['dnc', 'import', file, '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 1, by_code: { duplicate_dnc_entry: 1 } })
    expect((await listed(at)).sort()).toEqual([one, two])
  })

  it('goes on where it was stopped, and counts each number once', async () => {
    const at = await SvcAt.start()
    const file = write(at, numbers(250).join('\n'))
    const fault = { method: 'POST', path: '/dnc/batch', drop: true, after_commit: true, count: 4 }
    await at.simulation.control('POST', '/_sim/faults', fault)
    expect(await at.run(['dnc', 'import', file])).toMatchObject({ code: 8 })
    const ran = await at.run(['dnc', 'import', file, '--resume', '--json'])
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 250, refused: 0 })
    expect(await listed(at)).toEqual(numbers(250))
  })

  it('keeps within the requests a key may make', async () => {
    const at = await SvcAt.start({ limits: true })
    await at.simulation.control('PATCH', `/_sim/keys/${at.client.key.key_id}`, { limits: { requests_per_minute: 600 } })
    const ran = await at.run(['dnc', 'import', '-', '--json'], { stdin: numbers(2500).join('\n') })
    expect(JSON.parse(ran.stdout)).toMatchObject({ added: 2500 })
    expect(await sizes(at)).toEqual(Array(25).fill(100))
  })

  it.each([
    ['columns of which none is a number', 'Name,Town\nAnn,Albany\n', 'No column of numbers.csv is called phone.'],
    ['a line that names no number', 'never call\n+16462011000\n', 'Its columns are: never call.'],
    ['nothing', '', 'numbers.csv is empty.'],
  ])('refuses %s', async (_what, content, says) => {
    const at = await SvcAt.start()
    expect(await at.run(['dnc', 'import', write(at, content)])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(says) as string,
    })
  })

  it('takes the column that --map names', async () => {
    const at = await SvcAt.start()
    const words = ['dnc', 'import', write(at, `Caller,Town\n${one},Albany\n`), '--map', 'Caller=phone']
    expect(await at.run(words)).toMatchObject({ code: 0, stderr: 'Ignored column: Town.\n1 number added.\n' })
  })
})
