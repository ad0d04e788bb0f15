/** Global flags before the command and in the middle of it, and the framework's own log. */
import { describe, expect, it } from 'vitest'
import { globalFlags } from '../../../src/cli/base/flags.js'
import { commandFirst } from '../../../src/cli/base/word-order.js'
import { json, stubServer } from '../../support/servers/stub-server.js'
import { everyCommand, Svc } from '../../support/programs/svc.js'

const ids = everyCommand().map(([typed]) => typed.replaceAll(' ', ':'))
const ordered = (line: string) => commandFirst(line.split(' '), ids, globalFlags).join(' ')

it.each([
  ['--json leads list', 'leads list --json'],
  ['leads --json list', 'leads list --json'],
  ['--profile leads leads list --all', 'leads list --profile leads --all'],
  ['--profile=a -o json leads --verbose list x', 'leads list --profile=a -o json --verbose x'],
  ['-ojson simulate advance 4m', 'simulate advance -ojson 4m'],
  ['simulate --json advance 4m', 'simulate advance --json 4m'],
  ['simulate --port 0', 'simulate --port 0'],
  ['--json webhooks listen --exec -- node -e 0', 'webhooks listen --json --exec -- node -e 0'],
  ['api --json GET /leads', 'api --json GET /leads'],
  ['--nosuch leads list', '--nosuch leads list'],
  ['--utc --nosuch leads list', '--nosuch leads list --utc'],
  ['--json id leads list', 'leads list --json id'],
  ['leads --json id list', 'leads list --json id'],
  ['--profile a --json id leads --utc list', 'leads list --profile a --json id --utc'],
  ['--json id,phone leads list', 'leads list --json id,phone'],
  ['--json list leads', 'list leads --json'],
  ['--json usage leads list', 'usage --json leads list'],
  ['simulate --json id fault --list', 'simulate fault --json id --list'],
  ['--profile simulator leads delte X', 'leads delte X --profile simulator'],
  ['-o json leads delete X --yes', 'leads delete X -o json --yes'],
  ['leads --utc listt --all', 'leads listt --utc --all'],
  ['--utc nope', 'nope --utc'],
  ['--json', '--json'],
  ['leads list --json', 'leads list --json'],
])('svc %s is read as svc %s', (typed, meant) => expect(ordered(typed)).toBe(meant))

it.each([[['--json', 'leads', 'list']], [['leads', '--json', 'list']]])('svc %j runs the command', async (words) => {
  const { baseUrl, asked } = await stubServer((_asked, response) => json(response, 200, { data: [{ id: 'a' }] }))
  const ran = await new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }).run(words)
  expect(ran).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toEqual({ data: [{ id: 'a' }] })
  expect(asked.map(({ path }) => path)).toEqual(['/leads'])
})

it.each([
  [['--utc', 'leads', 'listt'], 'There is no command "leads listt".', 'Did you mean svc leads list?'],
  [['--profile', 'simulator', 'leads', 'lst'], 'There is no command "leads lst".', 'Did you mean svc leads list?'],
  [['leads', '--utc', 'listt'], 'There is no command "leads listt".', 'Did you mean svc leads list?'],
  [['-o', 'csv', 'leads', 'delete', 'X', '--yes'], 'Leads cannot be deleted.', 'svc leads opt-out'],
  [
    ['simulate', 'snapshot', '--utc', 'lst'],
    'There is no command "simulate snapshot lst"',
    'svc simulate snapshot list',
  ],
  [['--utc', 'nope'], 'There is no command "nope".', 'svc --help lists the commands.'],
  [['--utc'], 'No command was named.', 'Flags come after it'],
  [['--profile', 'x'], 'No command was named.', 'Flags come after it'],
  [['--utc', '--proflie', 'x', 'leads', 'list'], 'There is no flag --proflie.', 'Did you mean --profile?'],
  [['leads', '--limit', '5', 'list'], '--limit belongs after "leads list".', 'svc leads list --help shows its flags.'],
  [['leads', '--limit', '5'], 'No command of svc leads was named.', 'svc leads --help lists the commands.'],
  [['leads', '--bogus', 'list'], 'There is no global flag --bogus.', 'svc leads list --help shows the flags.'],
  [['leads', '--bogus'], 'No command of svc leads was named.', 'svc leads --help lists the commands.'],
])('svc %j exits 2 and says what is wrong', async (words, problem, hint) => {
  const ran = await new Svc().run(words)
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(problem)
  expect(ran.stderr).toContain(hint)
})

it.each([['--json'], ['-ojson']])('svc %s before a typo reports it as JSON', async (flag) => {
  const { code, stdout, stderr } = await new Svc().run([flag, 'leads', 'listt'])
  const error = { code: 'usage', message: 'There is no command "leads listt".', hint: 'Did you mean svc leads list?' }
  expect({ code, stdout, document: JSON.parse(stderr) as unknown }).toEqual({
    ...{ code: 2, stdout: '' },
    document: { error, exit_code: 2 },
  })
})

it.each([[['leads', '--utc']], [['leads', '--utc', '--help']], [['--utc', 'help', 'leads']]])(
  'svc %j shows the help of the group',
  async (words) => {
    const ran = await new Svc().run(words)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain('svc leads <command> [flags]')
  },
)

describe('one field after --json', () => {
  const rows = { data: [{ id: 'a', status: 'queued', phone: '+1' }] }
  const asked = async (...words: string[]) => {
    const { baseUrl } = await stubServer((_asked, response) => json(response, 200, rows))
    return new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' }).run(words)
  }

  it.each([
    ['--json', 'id', 'leads', 'list'],
    ['--utc', '--json', 'id', 'leads', 'list'],
    ['leads', '--json', 'id', 'list'],
    ['leads', 'list', '--json', 'id'],
  ])('is selected by svc %s %s %s %s', async (...words) => {
    const { code, stdout } = await asked(...words)
    expect({ code, document: JSON.parse(stdout) as unknown }).toEqual({ code: 0, document: { data: [{ id: 'a' }] } })
  })

  it.each([
    ['--json', 'nope', 'leads', 'list'],
    ['leads', 'list', '--json', 'nope'],
  ])('that does not exist is named by svc %s %s %s %s', async (...words) => {
    const { code, stdout, stderr } = await asked(...words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: 'There is no column "nope".', hint: expect.stringContaining('id, status, phone') as string },
    })
  })

  it('that does not exist is named for an empty list, too', async () => {
    const { baseUrl } = await stubServer((_asked, response) => json(response, 200, { data: [] }))
    const svc = new Svc({ SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a' })
    expect(await svc.run(['leads', 'list', '--json', 'nope'])).toMatchObject({ code: 2, stdout: '' })
    expect(await svc.run(['leads', 'list', '--json', 'fields.city'])).toMatchObject({ code: 0 })
  })

  it('is never taken from the arguments', async () => {
    const { stderr } = await asked('leads', 'get', '--json', '0d9f4a52-6a0e-4d9b-8a57-3b1f5c2e7d10')
    expect(stderr).not.toContain('column')
  })
})

it('DEBUG=* shows no secret of the command line', async () => {
  const words = ['webhooks', 'sign', '--secret', 'whsec_canary0123456789', '--body', '/nowhere']
  const svc = new Svc()
  const { stdout, stderr } = await svc.start(words, { DEBUG: '*' }).end()
  expect(stdout + stderr).not.toContain('canary')
})

it('NO_COLOR with FORCE_COLOR brings no warning', async () => {
  const ran = await new Svc().start(['profiles', 'list'], { NO_COLOR: '1', FORCE_COLOR: '1' }).end()
  expect(ran).toMatchObject({ code: 0, stderr: 'No profiles.\n' })
})
