/** Global flags before the command and in the middle of it, and the framework's own log. */
import { expect, it } from 'vitest'
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
