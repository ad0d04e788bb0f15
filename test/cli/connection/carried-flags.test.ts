/** Commands that svc tells the user to type use the profile and the address of the command before. */
import { describe, expect, it } from 'vitest'
import { carriedFlags, carryFlags } from '../../../src/cli/base/carried-flags.js'
import { startAtTerminal } from '../../support/programs/at-terminal.js'
import { hasTerminals } from '../../support/programs/terminal.js'
import { SvcAt } from '../../support/programs/svc-at.js'

const ids = ['api', 'dnc:list', 'dnc:remove', 'leads:get', 'login', 'profiles:list', 'simulate', 'simulate:advance']
const carry = (text: string) => carryFlags(text, '--profile live', ids)

describe('carried flags', () => {
  it.each([
    ['To take it off:\n  svc dnc remove +12125557812', 'To take it off:\n  svc dnc remove --profile live +12125557812'],
    ['svc dnc list shows entries.', 'svc dnc list --profile live shows entries.'],
    ['Use svc dnc list.', 'Use svc dnc list --profile live.'],
    ['Let time pass: svc simulate advance 4m', 'Let time pass: svc simulate advance --profile live 4m'],
    ['svc leads get a (npx svc leads get b)', 'svc leads get --profile live a (npx svc leads get --profile live b)'],
  ])('are added to a command that uses a key: %s', (text, expected) => expect(carry(text)).toBe(expected))

  it.each([
    'Run svc login, or svc simulate to start a local simulator.',
    'svc profiles list shows the profiles.',
    'svc dnc list --profile other',
    'svc dnc list --base-url=https://example.com',
    'svc dnc list --help shows what it takes.',
    'svc leads is a topic, and /bin/svc dnc list a path.',
  ])('leave alone: %s', (text) => expect(carry(text)).toBe(text))

  it('are those typed before the words of another program, and quoted', () => {
    expect(carriedFlags('leads list', ['--base-url=http://a', '--profile', "Ann's", '--', '--profile', 'b'])).toBe(
      String.raw`--base-url http://a --profile 'Ann'\''s'`,
    )
    expect(carriedFlags('login', ['--profile', 'new'])).toBe('')
    expect(carriedFlags('leads list', ['--profile'])).toBe('')
  })
})

describe('a command with --base-url or --profile', () => {
  it('names them in the next step of an error, also in JSON', async () => {
    const at = await SvcAt.start()
    const address = at.env['SVC_BASE_URL'] ?? ''
    const words = ['dnc', 'remove', '+12125557812', '--yes', '--base-url', address]
    const hint = `svc dnc list --base-url ${address} shows entries.`
    expect(await at.run(words)).toMatchObject({ code: 3, stderr: expect.stringContaining(hint) as string })
    expect(JSON.parse((await at.run([...words, '--json'])).stderr)).toMatchObject({ error: { hint } })
  })

  it.runIf(hasTerminals)('names them in the command that undoes it and in the one that saves an export', async () => {
    const { at, run } = await startAtTerminal()
    const url = ['--base-url', at.env['SVC_BASE_URL'] ?? '']
    expect((await run(['dnc', 'add', '2125557812', ...url])).lines.at(-1)).toBe(
      `  svc dnc remove ${url.join(' ')} +12125557812`,
    )
    expect((await run(['exports', 'create', '--type', 'leads', ...url])).lines.at(-1)).toContain(
      `svc exports create ${url.join(' ')} --type leads --download leads.csv`,
    )
  })
})
