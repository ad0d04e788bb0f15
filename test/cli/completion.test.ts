/** Completion: the words that `svc complete` lists, and the three scripts in real shells. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { everyCommand, Svc } from '../support/svc.js'
import { SvcAt } from '../support/svc-at.js'
import { atShell, hasShell, inShell } from '../support/shells.js'
import { json, stubServer } from '../support/stub-server.js'
import { hasTerminals } from '../support/terminal.js'

interface Completed {
  kind: string
  words: string[]
}

/** Completes the last word. `shell` decides on quoting only. */
async function completed(svc: Svc, words: readonly string[], env = {}, shell = 'fish'): Promise<Completed> {
  const { code, stdout, stderr } = await svc.run(['complete', shell, '--', ...words], { env })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const [kind = '', ...lines] = stdout.trimEnd().split('\n')
  return { kind, words: lines.map((line) => line.split('\t')[0] ?? '') }
}

const words = (...all: string[]): Completed => ({ kind: 'words', words: all })
const some = (...all: string[]) => ({ kind: 'words', words: expect.arrayContaining(all) as string[] })

const fixed: [typed: string, expected: object][] = [
  ['', some('leads', 'doctor', 'simulate', 'help')],
  ['lea', words('leads')],
  ['simulate snapshot ', words('delete', 'list', 'restore', 'save')],
  ['leads list --status q', words('queued')],
  ['leads list --status=q', words('--status=queued')],
  ['-o json leads list --sta', words('--status', '--starting-after')],
  ['leads list -o nd', words('ndjson')],
  ['leads list --json --js', words()],
  ['autocomplete z', words('zsh')],
  ['leads add --no-c', words('--no-call-now', '--no-color')],
  ['webhooks trigger call.c', words('call.completed')],
  ['leads list --columns id,pho', { kind: 'list', words: ['id,phone'] }],
  ['help ', some('leads', 'exit-codes', 'environment', 'output')],
  ['help webhooks lis', words('list', 'listen')],
  ['events list --type call.c', words('call.completed')],
  ['leads import ', { kind: 'files', words: [] }],
  ['api --input ', { kind: 'files', words: [] }],
  ['webhooks listen --exec -- ', { kind: 'files', words: [] }],
  ['leads get ', words()],
  ['nosuch ', words()],
]

describe('svc complete', () => {
  it.each(fixed)('completes %j', async (typed, expected) => {
    const env = { SVC_SECRET: '', SVC_BASE_URL: '' }
    expect(await completed(new Svc(), typed.split(' '), env)).toEqual(expected)
  })

  it.each(everyCommand())('has an answer within %s', async (typed) => {
    const { kind } = await completed(new Svc(), [...typed.split(' '), '--'])
    expect(kind).toBe('words')
  })

  it.each(everyCommand().filter(([typed]) => / list$/.test(typed)))('knows the columns of %s', async (typed) => {
    const { words: found } = await completed(new Svc(), [...typed.split(' '), '--columns', ''])
    expect(found.length).toBeGreaterThan(0)
  })

  it('keeps the rest of a list of events', async () => {
    const typed = ['webhooks', 'create', '--event', 'call.completed,lead.c']
    expect(await completed(new Svc(), typed)).toEqual({ kind: 'list', words: ['call.completed,lead.created'] })
  })

  it('lists profiles, also behind a flag of the same word', async () => {
    const svc = new Svc()
    mkdirSync(join(svc.folder, 'config'), { mode: 0o700 })
    const profiles = { work: { base_url: 'http://127.0.0.1:9/api/v1/external' }, home: {} }
    writeFileSync(join(svc.folder, 'config', 'profiles.json'), JSON.stringify({ current: null, profiles }))
    expect(await completed(svc, ['profiles', 'use', ''])).toEqual(words('home', 'work'))
    expect(await completed(svc, ['leads', 'list', '--profile', 'w'])).toEqual(words('work'))
  })

  it('lists campaigns by name, in any case, and endpoints and snapshots by id', async () => {
    const { simulation, env, svc } = await SvcAt.start()
    const { name, id } = await simulation.campaign({ name: 'Solar roofs' })
    expect(await completed(svc, ['leads', 'list', '--campaign', 'sol'], env)).toEqual(words(name))
    expect(await completed(svc, ['leads', 'list', '--campaign', '"So'], env, 'bash')).toEqual(words(name))
    expect(await completed(svc, ['campaigns', 'get', 'So'], env, 'bash')).toEqual(words(String.raw`Solar\ roofs`))
    expect(await completed(svc, ['leads', 'list', '--campaign', '=', 'So'], env, 'bash')).toEqual(
      words(String.raw`Solar\ roofs`),
    )
    expect(await completed(svc, ['simulate', 'campaign', id.slice(0, 8)], env)).toEqual(words(id))
    await simulation.control('POST', '/_sim/snapshots', { name: 'clean' })
    expect(await completed(svc, ['simulate', 'snapshot', 'restore', ''], env)).toEqual(words('clean'))
  })

  it('is silent and quick where the service hangs, fails or is away', async () => {
    const { baseUrl: hangs } = await stubServer(() => undefined)
    const { baseUrl: fails } = await stubServer((_asked, response) => json(response, 500, {}))
    for (const SVC_BASE_URL of [hangs, fails, 'http://127.0.0.1:9/api/v1/external', 'nonsense']) {
      const env = { SVC_BASE_URL, SVC_SECRET: 'cs_test_a' }
      expect(await completed(new Svc(), ['leads', 'list', '--campaign', ''], env)).toEqual(words())
    }
  })

  it('sends no key of a profile to another address', async () => {
    const { baseUrl, asked } = await stubServer((_asked, response) => json(response, 200, { data: [] }))
    const svc = new Svc()
    mkdirSync(join(svc.folder, 'config'), { mode: 0o700 })
    const work = { base_url: 'https://example.com/api/v1/external', secret: 'cs_live_canary' }
    writeFileSync(join(svc.folder, 'config', 'profiles.json'), JSON.stringify({ current: 'work', profiles: { work } }))
    await completed(svc, ['campaigns', 'get', '--base-url', baseUrl, ''])
    expect(asked).toEqual([])
  })
})

const skip = (shell: string) => {
  const isMissing = !hasShell(shell)
  if (isMissing) process.stderr.write(`SKIPPED: ${shell} is not installed, so completion in ${shell} is not tested.\n`)
  return isMissing
}

describe.skipIf(skip('bash'))('completion in bash', () => {
  it.each([
    ['svc lea', ['leads']],
    ['svc leads list --status q', ['queued']],
  ])('completes %s', async (typed, expected) => {
    const line = `eval "$(svc completion bash)"; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(await inShell(new Svc(), ['bash'], line)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `${expected.join('\n')}\n`,
    })
  })
})

describe.skipIf(skip('zsh') || !hasTerminals)('completion in zsh', () => {
  const setUp = 'eval "$(svc autocomplete zsh)"'
  const compinit = 'autoload -Uz compinit; compinit -i -D'
  const keys = 'svc webhooks liste\t-is-it'

  it.each([
    ['without compinit', setUp],
    ['after compinit', `${compinit}; ${setUp}`],
    ['before compinit', `${setUp}; ${compinit}`],
  ])('works %s', async (_when, line) => {
    const screen = await atShell(new Svc(), 'zsh -f -i', line, keys, /liste.*is-it/)
    expect(screen).toMatch(/svc webhooks listen.*-is-it/)
    expect(screen).not.toMatch(/not found|parse error|compdef:/)
  })

  it('is read from a folder of fpath too', async () => {
    const svc = new Svc()
    const folder = join(svc.folder, 'functions')
    mkdirSync(folder)
    writeFileSync(join(folder, '_svc'), (await svc.run(['autocomplete', 'zsh'])).stdout)
    const screen = await atShell(svc, 'zsh -f -i', `fpath=(${folder} $fpath); ${compinit}`, keys, /liste.*is-it/)
    expect(screen).toMatch(/svc webhooks listen.*-is-it/)
  })
})

describe.skipIf(skip('fish'))('completion in fish', () => {
  it.each([
    ['svc ', 'leads'],
    ['svc lea', 'leads'],
    ['svc -', '--json'],
    ['svc --json ', 'leads'],
    ['svc leads list -o js', 'json'],
    ['svc leads list --status=que', '--status=queued'],
    ["svc leads add --name '", ''],
    ['svc leads add --name "a b" ', ''],
    ['svc -- ', ''],
    ['svc leads \\', ''],
    ['svc ;', ''],
    ['svc leads import ', 'here.csv'],
  ])('has no error on %j', async (typed, expected) => {
    const svc = new Svc()
    writeFileSync(join(svc.folder, 'here.csv'), '')
    const line = `svc autocomplete fish | source; complete -C '${typed.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
    const { stdout, stderr } = await inShell(svc, ['fish', '--no-config'], line)
    expect(stderr).toBe('')
    expect(stdout).toContain(expected)
  })
})
