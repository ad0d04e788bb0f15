/** The built program in a separate process. Most other tests run it inside theirs, so both ways must give the same. */
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../support/programs/svc-at.js'
import { Svc, type Words } from '../support/programs/svc.js'

const secret = 'whsec_0123456789abcdef0123456789abcdef'

describe('svc in a separate process and inside the process of the tests', () => {
  it.each<[what: string, args: string[], words: Words, code: number]>([
    ['the version', ['--version'], {}, 0],
    ['help', ['--help'], {}, 0],
    ['the help of a command', ['leads', 'add', '--help'], {}, 0],
    ['an unknown command', ['leeds'], {}, 2],
    ['an unknown flag', ['leads', 'list', '--nosuch'], {}, 2],
    ['an unknown flag, as JSON', ['leads', 'list', '--nosuch', '--json'], {}, 2],
    ['a missing argument', ['leads', 'get'], {}, 2],
    ['no key', ['leads', 'list'], { env: { SVC_SECRET: '' } }, 4],
    ['a refused key', ['leads', 'list'], { env: { SVC_SECRET: 'cs_live_wrong' } }, 4],
    [
      'a service that is not there',
      ['leads', 'list', '--max-wait', '0'],
      { env: { SVC_BASE_URL: 'http://127.0.0.1:1' } },
      8,
    ],
    ['an empty list', ['leads', 'list'], {}, 0],
    ['a list as JSON', ['campaigns', 'list', '--json'], {}, 0],
    ['a table with a flag from the environment', ['simulate', 'world'], { env: { SVC_CONTROL_TOKEN: 'x' } }, 0],
    ['standard input', ['webhooks', 'sign', '--body', '-', '--secret', secret], { stdin: '{"a":"ü"}' }, 0],
    ['a file that is not there', ['leads', 'import', 'no.csv', '--campaign', 'c'], {}, 2],
    ['a completion script', ['autocomplete', 'bash'], {}, 0],
    ['profiles in an empty folder', ['profiles', 'list'], {}, 0],
    ['a debugging trace', ['leads', 'get', 'x'], { env: { SVC_SECRET: '', SVC_BASE_URL: 'x' } }, 2],
  ])('gives the same: %s', async (_what, args, words, code) => {
    const at = await SvcAt.start()
    const env = { ...at.env, ...words.env }
    const spawned = await at.svc.spawn(args, { ...words, env })
    const inProcess = await at.svc.run(args, { ...words, env })
    // Request ids and times differ from request to request.
    const fixed = (text: string) => text.replaceAll(/req_\w+/g, 'req_').replaceAll(/t=\d+,v1=\w+/g, 'signature')
    const seen = ({ stdout, stderr, ...rest }: typeof spawned) => ({
      ...rest,
      stdout: fixed(stdout),
      stderr: fixed(stderr),
    })
    expect(seen(inProcess)).toEqual(seen(spawned))
    expect(spawned.code, spawned.stderr).toBe(code)
  })

  it('keeps runs that overlap apart: output, exit code, environment, working directory', async () => {
    const [one, other] = [await SvcAt.start(), await SvcAt.start()]
    const phones = { one: '+16462010001', other: '+16462010002' }
    await one.simulation.lead({ phone: phones.one })
    await other.simulation.lead({ phone: phones.other })
    const nobody = new Svc()
    const [first, second, third] = await Promise.all([
      one.run(['leads', 'list', '--columns', 'phone', '--no-header', '-o', 'tsv']),
      other.run(['leads', 'list', '--columns', 'phone', '--no-header', '-o', 'tsv']),
      nobody.run(['leads', 'list']),
    ])
    expect(first).toMatchObject({ code: 0, stdout: `${phones.one}\n` })
    expect(second).toMatchObject({ code: 0, stdout: `${phones.other}\n` })
    expect(third).toMatchObject({ code: 4, stdout: '' })
    expect(process.exitCode).toBeUndefined()
  })
})
