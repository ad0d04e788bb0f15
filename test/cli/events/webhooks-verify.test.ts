/** `svc webhooks sign` and `verify`: what fits, and what is said of each usual mistake. */
import { describe, expect, it } from 'vitest'
import { sign } from '../../../src/webhooks/sign.js'
import { Svc } from '../../support/programs/svc.js'

const svc = new Svc()
const secret = 'whsec_0Jq4xWkD3yPv8ZtR'
const event = { id: 'evt_1', type: 'lead.created', data: { object: { name: 'Zoë' } } }
const body = JSON.stringify(event)
const now = () => Math.floor(Date.now() / 1000)
const signed = (text = body, at = now()) => sign({ body: Buffer.from(text), secrets: [secret], at })

const verify = (signature: string, text = body, ...flags: string[]) =>
  svc.run(['webhooks', 'verify', '--secret', secret, '--signature', signature, '--body', '-', ...flags], {
    stdin: text,
  })

describe.concurrent('webhooks verify', () => {
  it('is 0 for what sign printed, alone, and says when it was signed', async () => {
    const { stdout, code, stderr } = await svc.run(['webhooks', 'sign', '--secret', secret, '--body', '-'], {
      stdin: body,
    })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^t=\d{10},v1=[0-9a-f]{64}\n$/)
    expect(await verify(stdout.trim())).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^valid: signed at 20\d\d-\S+Z\n$/),
      stderr: '',
    })
  })

  it.each<[what: string, signature: () => string, text: string, reason: string, hint: RegExp]>([
    ['a body with a newline at its end', signed, `${body}\n`, 'no_match', /without its trailing newline/],
    [
      'a body that was parsed and written again',
      signed,
      JSON.stringify(event, null, 2),
      'no_match',
      /compact JSON[^]*raw bytes/,
    ],
    ['a body that was read before', signed, '', 'no_match', /body is empty/],
    [
      'another secret',
      () => sign({ body: Buffer.from(body), secrets: ['whsec_other_0123456789'], at: now() }),
      body,
      'no_match',
      /secret is that of another endpoint/,
    ],
    ['a signature too old', () => signed(body, now() - 600), body, 'too_old', /clock here is ahead/],
    ['a clock that is behind', () => signed(body, now() + 900), body, 'too_new', /clock here is behind/],
    ['no header at all', () => 'Bearer x', body, 'malformed', /must read t=/],
  ])('is 1 for %s, and says so', async (_what, signature, text, reason, hint) => {
    const person = await verify(signature(), text)
    expect(person).toMatchObject({ code: 1, stdout: `not valid: ${reason}\n`, stderr: expect.stringMatching(hint) })
    const program = await verify(signature(), text, '--json')
    expect(program).toMatchObject({ code: 1, stderr: '' })
    expect(JSON.parse(program.stdout)).toEqual({
      data: { valid: false, reason, hint: expect.stringMatching(hint) },
    })
    expect(person.stderr + program.stdout).not.toContain(secret)
  })

  it('is content with one of several secrets, and with one of the signatures of a roll', async () => {
    const both = sign({ body: Buffer.from(body), secrets: ['whsec_new_0123456789', secret], at: now() })
    expect(await verify(both)).toMatchObject({ code: 0 })
    expect(await verify(signed(), body, '--secret', 'whsec_other_0123456789')).toMatchObject({ code: 0 })
    const others = await svc.run(
      [
        ...['webhooks', 'verify', '--secret', 'whsec_one_0123456789', '--secret', 'whsec_two_0123456789'],
        '--signature',
        both,
        '--body',
        '-',
      ],
      { stdin: body },
    )
    expect(others).toMatchObject({ code: 1, stdout: 'not valid: no_match\n' })
  })

  it.each(['Service-Signature: ', 'service-signature:', '  Service-Signature :  '])(
    'takes a signature that was copied with the name of its header: %j',
    async (name) => {
      expect(await verify(`${name}${signed()}`)).toMatchObject({ code: 0 })
      expect(await verify(`X-${name}${signed()}`)).toMatchObject({ code: 1, stdout: 'not valid: malformed\n' })
    },
  )

  it('allows what --tolerance allows, in seconds or as a length of time', async () => {
    const old = signed(body, now() - 600)
    for (const tolerance of ['900', '15m'])
      expect(await verify(old, body, '--tolerance', tolerance)).toMatchObject({ code: 0 })
    expect(await verify(signed(body, now() - 60), body, '--tolerance', '30s')).toMatchObject({ code: 1 })
  })

  it('refuses a secret that is empty or short', async () => {
    for (const short of ['', 'whsec_', 'whsec_123456789']) {
      const words = ['webhooks', 'verify', `--secret=${short}`, '--signature', signed(), '--body', '-', '--no-input']
      const checked = await svc.run([...words, '--secret', secret], { stdin: body })
      expect(checked).toMatchObject({ code: 1, stdout: 'not valid: no_secret\n' })
      expect(await svc.run(['webhooks', 'sign', `--secret=${short}`, '--secret=x', '--body', '-'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--secret is shorter than 16 characters.') as string,
      })
    }
  })
})
