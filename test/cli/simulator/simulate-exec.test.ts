/** `svc simulate --exec -- cmd`: a program that runs against a simulator which lives as long as it does. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Svc } from '../../support/programs/svc.js'

/** Runs a piece of JavaScript behind `--`. */
const words = (source: string, ...flags: string[]) => [
  ...['simulate', ...flags, '--exec', '--', process.execPath, '--input-type=module', '-e', source],
]

const names = ['SVC_BASE_URL', 'SVC_CONTROL_URL', 'SVC_KEY_ID', 'SVC_SECRET', 'SVC_PROFILE']
const show = `const e = process.env; console.log(JSON.stringify(${JSON.stringify(names)}.map((name) => e[name] ?? null)))`

describe('the program behind simulate --exec --', () => {
  it('finds the simulator and the test key, its stdout is all there is, and no profile is saved', async () => {
    const svc = new Svc()
    const ask = `
      const { SVC_BASE_URL: base, SVC_SECRET: secret, SVC_CONTROL_URL: control } = process.env
      const leads = await fetch(base + '/leads', { headers: { authorization: 'Bearer ' + secret } })
      const clock = await (await fetch(control + '/clock')).json()
      console.log(leads.status, clock.data.now, clock.data.paused)`
    const flags = ['--paused', '--now', '2026-10-01T15:00:00Z', '--seed', '7', '--allow-local-webhooks', '--json']
    const ran = await svc.run(words(`${show}; ${ask}`, ...flags), { env: { SVC_PROFILE: 'none' } })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const [first = '', second] = ran.stdout.split('\n')
    const [base, control, keyId, secret, profile] = JSON.parse(first) as string[]
    expect([base, control]).toEqual([
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/api\/v1\/external$/),
      expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/_sim$/),
    ])
    expect([keyId, secret, profile]).toEqual([
      expect.stringMatching(/^ck_test_/),
      expect.stringMatching(/^cs_test_/),
      null,
    ])
    expect(second).toBe('200 2026-10-01T15:00:00.000Z true')
    for (const folder of ['config', 'data']) expect(existsSync(join(svc.folder, folder))).toBe(false)
  })

  it.each([
    ['its own code', 'process.exit(7)', 7],
    ['128 + n when a signal ends it', "process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1e6)", 137],
  ])('ends the command with %s', async (_what, source, code) => {
    expect(await new Svc().run(words(source))).toMatchObject({ code, stdout: '', stderr: '' })
  })

  it('is told of a signal, and says how it ends', async () => {
    const source =
      "process.on('SIGTERM', () => { console.log('told'); process.exit(3) }); console.log('up'); setInterval(() => {}, 1e6)"
    const running = new Svc().start(words(source))
    expect(await running.line()).toBe('up')
    expect(await running.kill('SIGTERM')).toMatchObject({ code: 3, stdout: expect.stringContaining('told') as string })
  })

  it('that cannot be started is 127; none at all, or one without --exec, is a mistake', async () => {
    const svc = new Svc()
    expect(await svc.run(['simulate', '--exec', '--', 'no-such-program'])).toEqual({
      code: 127,
      signal: null,
      stdout: '',
      stderr: 'Error: no-such-program cannot be started: there is no such program.\n',
    })
    for (const wrong of [['--exec'], ['--exec', '--'], ['--', 'true'], ['true']])
      expect(await svc.run(['simulate', ...wrong]), wrong.join(' ')).toMatchObject({ code: 2, stdout: '' })
    expect((await svc.run(['simulate', '--exec', 'sh', 'try it.sh'])).stderr).toContain(
      'Put -- before the command: svc simulate --exec --',
    )
    expect((await svc.run(['simulate', 'faults'])).stderr).toContain('Did you mean svc simulate fault?')
  })
})
