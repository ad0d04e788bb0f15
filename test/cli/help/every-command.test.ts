/** What holds for every command there is, by the built program and its own list of commands. */
import { describe, expect, it } from 'vitest'
import { everyCommand, Svc } from '../../support/programs/svc.js'
import { fragmentStart } from '../../tidy/commands.js'

const svc = new Svc()
const commands = everyCommand()

interface UsageDocument {
  error: { code: string; message: string; hint: string }
  exit_code: number
}

it('the build has written its commands down', () => {
  expect(commands.length).toBeGreaterThan(20)
})

describe.concurrent.each(commands)('svc %s', (typed, command) => {
  const words = typed.split(' ')

  it('shows its help with an example that begins as it is typed', async ({ expect }) => {
    // Asked for help about itself, `svc help` says what `svc --help` does.
    const examples = typed === 'help' ? 'Usage' : 'Examples'
    const { code, stdout, stderr } = await svc.run([...words, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(examples)
    const start = typed === 'help' ? ' svc <command>' : `\\$ .*svc ${typed}`
    expect(stdout.slice(stdout.indexOf(examples))).toMatch(new RegExp(start))
  })

  it('refuses a flag it does not know, and guesses which was meant, repeating no value', async ({ expect }) => {
    const { code, stdout, stderr } = await svc.run([...words, '--verbsoe=a-value'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe('Error: There is no flag --verbsoe.\n  Did you mean --verbose?\n')
  })

  it('says so in one JSON document where JSON is asked for', async ({ expect }) => {
    const { code, stdout, stderr } = await svc.run([...words, '--nosuchthing', '--json'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    const { error, exit_code } = JSON.parse(stderr) as UsageDocument
    expect({ code: error.code, message: error.message, exit_code }).toEqual({
      code: 'usage',
      message: 'There is no flag --nosuchthing.',
      exit_code: 2,
    })
    expect(error.hint).toContain(`svc ${typed} --help`)
  })

  it('describes every argument and flag, its object first, and marks required ones', () => {
    const texts = [
      { name: typed, text: command.summary, required: false },
      ...Object.values(command.args).map(({ description: text, ...rest }) => ({ text, ...rest })),
      ...Object.values(command.flags).map(({ summary: text, ...rest }) => ({ text, ...rest })),
    ]
    const bad = texts.filter(({ text = '', required }) => {
      return !/^[A-Z]/.test(text) || fragmentStart.test(text) || (required && !text.includes('(required'))
    })
    expect(bad.map(({ name, text }) => `${name}: ${text}`)).toEqual([])
  })

  it('gives every example with flags that it has', () => {
    const known = new Set([...Object.keys(command.flags), 'help'])
    for (const example of command.examples) {
      const own = /svc.*|<%= config\.bin %>.*/.exec(example)?.[0].split(/\)| \| | && | > | -- /)[0] ?? ''
      const used = [...own.matchAll(/ --(?:no-)?([a-z][\w-]*)/g)].map(([, flag = '']) => flag)
      expect(used.filter((flag) => !known.has(flag) && !known.has(`no-${flag}`))).toEqual([])
    }
  })
})

it.each([
  [['leads', 'lst'], 'There is no command "leads lst".', 'Did you mean svc leads list?'],
  [['leeds', 'list'], 'There is no command "leeds list".', 'Did you mean svc leads list?'],
  [['leads', 'lst', '--help'], 'There is no command "leads lst".', 'Did you mean svc leads list?'],
  [['leeds'], 'There is no command "leeds".', 'Did you mean svc leads?'],
  [['--nosuch', 'leads', 'list'], 'There is no global flag --nosuch.', 'svc leads list --help shows the flags.'],
  [['--nosuch'], 'There is no global flag --nosuch.', 'svc --help lists the commands.'],
  [['--limit', '1', 'leads', 'list'], '--limit belongs after "leads list".', 'svc leads list --help shows its flags.'],
  [['--limit=1', 'leads', 'list'], '--limit belongs after "leads list".', 'svc leads list --help shows its flags.'],
  [['-X', 'GET', 'api', '/leads'], '-X belongs after "api".', 'svc api --help shows its flags.'],
  [['listen'], 'There is no command "listen".', 'Did you mean svc webhooks listen?'],
  [['listen', '3000'], 'There is no command "listen".', 'Did you mean svc webhooks listen 3000?'],
  [['leads', 'view', 'crm 1'], 'There is no command "leads view".', "Did you mean svc leads get 'crm 1'?"],
  [['lead', 'view', 'crm-1'], 'There is no command "lead view crm-1".', 'Did you mean svc leads get crm-1?'],
  [['campaigns', 'ls'], 'There is no command "campaigns ls".', 'Did you mean svc campaigns list?'],
  [['list', 'leads'], 'There is no command "list leads".', 'Did you mean svc leads list?'],
  [['simulate', 'snapsht'], 'There is no command "simulate snapsht".', 'Did you mean svc simulate snapshot?'],
  [
    ['simulate', 'lst'],
    'There is no command "simulate lst".',
    'Did you mean svc simulate snapshot list or svc simulate worlds list?',
  ],
  [
    ['simulate', 'rm'],
    'There is no command "simulate rm".',
    'Did you mean svc simulate snapshot delete or svc simulate worlds delete?',
  ],
  [['simulate', 'start'], 'There is no command "simulate start".', 'Did you mean svc simulate?'],
  [['--hlep'], 'There is no flag --hlep.', 'Did you mean --help?'],
  [['leads', 'list', '--name', 'ann'], 'There is no flag --name.', 'Did you mean --search?'],
  [['calls', 'list', '--search', 'ann'], 'There is no flag --search.', 'Did you mean --lead?'],
  [['alias', 'list'], 'There is no command "alias list".', 'svc --help lists the commands.'],
  [['calls', 'start', 'crm-1'], 'svc calls start takes no "crm-1".', 'Did you mean svc calls start --lead crm-1?'],
  [['whoami', 'ann'], 'svc whoami takes no "ann".', 'svc whoami --help shows what it takes.'],
  [['leads', 'export'], 'There is no command "leads export".', 'Did you mean svc exports create?'],
  [['leads', 'create'], 'There is no command "leads create".', 'Did you mean svc leads add?'],
  [['webhooks', 'remove'], 'There is no command "webhooks remove".', 'Did you mean svc webhooks delete?'],
  [['webhooks', 'unpause'], 'There is no command "webhooks unpause".', 'Did you mean svc webhooks resume?'],
  [['campaigns', 'stop'], 'There is no command "campaigns stop".', 'Did you mean svc campaigns pause?'],
  [['dnc', 'delete'], 'There is no command "dnc delete".', 'Did you mean svc dnc remove?'],
  [['auth', 'status'], 'There is no command "auth status".', 'Did you mean svc whoami?'],
  [['frobnicate'], 'There is no command "frobnicate".', 'svc --help lists the commands.'],
])('svc %j is unknown, with what was probably meant', async (words, message, hint) => {
  const text = await svc.run(words)
  expect(text).toMatchObject({ code: 2, stdout: '', stderr: `Error: ${message}\n  ${hint}\n` })
  const json = await svc.run([...words, '-o', 'json'])
  expect({ code: json.code, stdout: json.stdout }).toEqual({ code: 2, stdout: '' })
  expect(JSON.parse(json.stderr)).toEqual({ error: { code: 'usage', message, hint }, exit_code: 2 })
})

it('help says the summary once', async () => {
  const { stdout } = await svc.run(['leads', 'add', '--help'])
  expect(stdout.match(/^ *Add a lead to a campaign$/gm)).toHaveLength(1)
})

it('an action that does not exist is explained, with the commands of the topic', async () => {
  const { code, stderr } = await svc.run(['leads', 'delete'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^Error: There is no command "leads delete"\. Leads cannot be deleted\. svc leads opt-out /)
  expect(stderr).toContain('  svc leads opt-out  Opt a lead out')
  expect(stderr).not.toContain('Did you mean')
})

it('an unknown word after svc simulate shows its commands, or how the simulator is stopped', async () => {
  const unknown = await svc.run(['simulate', 'frobnicate'])
  expect(unknown).toMatchObject({ code: 2, stdout: '' })
  expect(unknown.stderr).toMatch(
    /^Error: There is no command "simulate frobnicate"\.\n {2}svc simulate advance +Advance /,
  )
  const { stderr } = await svc.run(['simulate', 'stop'])
  expect(stderr).toMatch(/^Error: There is no command "simulate stop"\. Ctrl-C stops a simulator, /)
})

it('an unknown subcommand shows the commands of its topic', async () => {
  const { code, stderr } = await svc.run(['webhooks', 'frobnicate'])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^Error: There is no command "webhooks frobnicate"\.\n {2}svc webhooks create +Create /)
  expect(stderr).toMatch(/ {2}svc webhooks listen +Forward events/)
})

it.each([
  [[]],
  [['--help']],
  [['-h']],
  [['help']],
  [['leads']],
  [['leads', '--help']],
  [['simulate', '--help']],
  [['help', 'leads', 'add']],
])('svc %j shows help and exits 0', async (words) => {
  const { code, stdout, stderr } = await svc.run(words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toContain('Usage')
})

it.each([[['--version']], [['-v']], [['-V']], [['version']], [['version', '-o', 'table']]])(
  'svc %j says which version it is',
  async (words) => {
    expect(await svc.run(words)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^lead-calling\/\d+\.\d+\.\d+ /) as string,
      stderr: '',
    })
  },
)
