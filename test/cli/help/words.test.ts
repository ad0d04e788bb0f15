import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { durationMs, pairFlag } from '../../../src/cli/base/flags.js'
import { wantsJson } from '../../../src/cli/base/wants-json.js'
import { usageErrorOf } from '../../../src/cli/errors/parser-error.js'
import { listGivenSecrets } from '../../../src/cli/base/given-secrets.js'
import { editDistance, nearestWord } from '../../../src/cli/errors/suggest.js'
import { UsageError } from '../../../src/cli/errors/usage-error.js'

describe('a length of time', () => {
  it.each([
    ['90s', 90_000],
    ['4m', 240_000],
    ['24h', 86_400_000],
    ['31d', 2_678_400_000],
    ['90', 90_000],
    ['0', 0],
    ['1h30m', 5_400_000],
  ])('%s is %i milliseconds', (text, ms) => expect(durationMs(text, '--by')).toBe(ms))

  it.each(['', 's', '4 m', '-1s', '1y', '4m!', 'NaN', 'Infinity', '1e3'])('"%s" is none', (text) => {
    expect(() => durationMs(text, '--by')).toThrow(UsageError)
  })
})

describe('a pair', () => {
  it('is split at its first equals sign', () => {
    expect(pairFlag(['a=1', 'b=x=y', 'c='], '--field')).toEqual({ a: '1', b: 'x=y', c: '' })
  })

  it('lose no value where a name comes twice, and hold any name', () => {
    expect(() => pairFlag(['a=1', 'b=', 'a=2'], '--field')).toThrow('--field says twice what a is.')
    expect(pairFlag(['a=1=2', '__proto__=x'], '--field')).toEqual(
      Object.fromEntries([
        ['a', '1=2'],
        ['__proto__', 'x'],
      ]),
    )
  })

  it.each(['a', '=1', ''])('"%s" is none', (text) =>
    expect(() => pairFlag([text], '--field')).toThrow(/--field name=value|not a pair/),
  )
})

describe('JSON is asked for', () => {
  it.each([
    ['--json'],
    ['-o', 'json'],
    ['-o=json'],
    ['-ojson'],
    ['--output', 'ndjson'],
    ['--output=json'],
    ['--bad', '--json'],
  ])('by %s %s', (...words) => {
    expect(wantsJson(words)).toBe(true)
  })

  it.each([[[]], [['-o', 'csv']], [['--', '--json']], [['json']], [['--output=jsonx']]])('not by %j', (words) => {
    expect(wantsJson(words)).toBe(false)
  })
})

describe('did you mean', () => {
  it('names the nearest word, and none that is far', () => {
    expect(nearestWord('lst', ['list', 'last', 'get'])).toBeDefined()
    expect(nearestWord('campiagn', ['campaign', 'phone'])).toBe('campaign')
    expect(nearestWord('frobnicate', ['list', 'get'])).toBeUndefined()
    expect(nearestWord('list', [])).toBeUndefined()
  })

  it('counts a distance that is a distance', () => {
    const word = fc.string({ maxLength: 8 })
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, a)).toBe(0)
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
        expect(editDistance(a, b)).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
      }),
    )
  })
})

describe('what the parser objects to', () => {
  const known = { command: 'leads list', flags: ['limit', 'status'] }
  const told = (message: string) => usageErrorOf(new Error(message), known)

  it('is one line in our words', () => {
    const limit = (problem: string) => {
      const { message, hint } = told(`Parsing --limit \n\t${problem}\nSee more help with --help`)
      return `${message} ${hint}`
    }
    expect(limit('Expected an integer but received: x')).toBe(
      '--limit "x": not a whole number. Use a whole number, such as 10.',
    )
    expect(limit('Expected an integer greater than or equal to 1 but received: 0')).toBe(
      '--limit "0": too small. Use a whole number of at least 1.',
    )
    expect(limit('Expected an integer less than or equal to 599 but received: 700')).toBe(
      '--limit "700": too large. Use a whole number of at most 599.',
    )
    expect(told('Flag --limit expects a value').message).toBe('--limit needs a value.')
    const values = told('Expected --status=on call to be one of: done, on_call')
    expect([values.message, values.hint]).toEqual([
      '--status "on call": no such value.',
      'Did you mean on_call? The values are: done, on_call.',
    ])
    const statuses = 'Expected --status=intrested to be one of: done, on_call'
    const outcome = { outcome: { options: ['interested', 'busy'] }, output: { options: ['interested'] } }
    expect(usageErrorOf(new Error(statuses), { command: 'leads list', flags: [], values: outcome }).hint).toBe(
      'Did you mean --outcome interested? The values of --status are: done, on_call.',
    )
    const exclusive =
      'The following error occurred:\n  --output=csv cannot also be provided when using --json\nSee more'
    expect(told(exclusive).message).toBe('--output and --json exclude each other.')
    const both = 'The following errors occurred:\n  --a cannot be with --b\n  --c needs --d\nSee more help with --help'
    expect(told(both).message).toBe('--a cannot be with --b; --c needs --d.')
  })

  it('guesses the flag that was meant, and repeats no value', () => {
    const error = told('Nonexistent flag: --statsu=cs_live_canary\nSee more help with --help')
    expect([error.message, error.hint]).toEqual(['There is no flag --statsu.', 'Did you mean --status?'])
    expect(told('Nonexistent flag: -L').hint).toBe('Did you mean --limit?')
    expect(told('Nonexistent flag: --state').hint).toBe('Did you mean --status?')
    expect(told('Nonexistent flag: -z').hint).toBe('svc leads list --help shows what it takes.')
  })

  it('keeps the words of an error of ours, and its hint', () => {
    const ours = new UsageError('It is not a duration.', 'It reads like 4m.')
    ours.message = `Parsing --by \n\t${ours.message}\nSee more help with --help`
    const error = usageErrorOf(ours, known)
    expect([error.message, error.hint]).toEqual(['It is not a duration.', 'It reads like 4m.'])
  })
})

describe('the secrets of a run', () => {
  it('are those of its flags and of its environment', () => {
    const argv = ['webhooks', 'verify', '--secret', 'a', '--secret=b', '--body', '-', '--secret']
    expect(listGivenSecrets(argv, { SVC_SECRET: 'c', SVC_KEY_ID: 'ck_test_x', SVC_CONTROL_TOKEN: '' })).toEqual([
      'a',
      'b',
      'c',
    ])
  })
})
