/** The completion scripts in real shells. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { atShell, hasShell, inShell } from '../../support/programs/shells.js'
import { Svc } from '../../support/programs/svc.js'
import { hasTerminals } from '../../support/programs/terminal.js'

const skip = (shell: string) => {
  const isMissing = !hasShell(shell)
  if (isMissing) process.stderr.write(`SKIPPED: ${shell} is not installed, so completion in ${shell} is not tested.\n`)
  return isMissing
}

describe.skipIf(skip('bash'))('completion in bash', () => {
  it.each([
    ['svc lea', ['leads']],
    ['svc leads list --status q', ['queued']],
    // bash itself cuts words at colons, so these are several words to it.
    ['svc simulate key --permission leads : r', ['read']],
    ['svc simulate key --permission leads :', ['read', 'write']],
    ['svc simulate key --permission leads : read,calls : r', ['read']],
    ['svc simulate key --permission leads:r', ['leads:read']],
    ['svc leads list --base-url http : //127.0.0.1:9 --status q', ['queued']],
    [
      'svc webhooks lis',
      ['list    (List webhook endpoints)', 'listen  (Forward events to a local server as they happen)'],
    ],
  ])('completes %s', async (typed, expected) => {
    const line = `eval "$(svc completion bash)"; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
    expect(await inShell(new Svc(), ['bash'], line)).toMatchObject({
      code: 0,
      stderr: '',
      stdout: `${expected.join('\n')}\n`,
    })
  })
})

/** Files to import, and others that are not offered. */
function withFiles(): Svc {
  const svc = new Svc()
  mkdirSync(join(svc.folder, 'lists'))
  for (const name of ['big.csv', 'big.xlsx', 'big.csv.bak', 'bin.log', 'lists/new one.csv', 'lists/old.log', 'x.log'])
    writeFileSync(join(svc.folder, name), '')
  return svc
}

describe.skipIf(skip('bash'))('file names in bash', () => {
  it.each([
    // The folder of the test has a folder bin.
    ['svc leads import b', ['big.csv', 'big.xlsx', 'bin']],
    ['svc plan --leads big', ['big.csv', 'big.xlsx']],
    ['svc dnc import ""', ['big.csv', 'big.xlsx', 'bin', 'lists']],
    ['svc leads import lists/n', ['lists/new one.csv']],
    ['svc exports create --download big', ['big.csv']],
    // Then readline itself completes.
    ['svc leads import x', ['']],
  ])('completes %s', async (typed, expected) => {
    const line = `eval "$(svc completion bash)"; compopt() { :; }; COMP_WORDS=(${typed}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}" | sort`
    const { stdout, stderr } = await inShell(withFiles(), ['bash'], line)
    expect({ stderr, words: stdout.trimEnd().split('\n') }).toEqual({ stderr: '', words: expected })
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

  it('completes the names of files to import, and no others', async () => {
    const screen = await atShell(withFiles(), 'zsh -f -i', setUp, 'svc leads import bi\t\t', /big\.xlsx/)
    expect(screen).toContain('big.csv')
    expect(screen).not.toMatch(/big\.csv\.bak|bin\.log/)
  })

  it('lists descriptions in one column', async () => {
    const screen = await atShell(new Svc(), 'zsh -f -i', setUp, 'svc webhooks res\t', /resume +-- Resume/)
    expect(screen).toMatch(/resend {2}-- Send an event/)
    expect(screen).toMatch(/resume {2}-- \S/)
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
    ['svc leads import x', 'x.log'],
  ])('has no error on %j', async (typed, expected) => {
    const svc = new Svc()
    for (const name of ['here.csv', 'here.csv.bak', 'x.log']) writeFileSync(join(svc.folder, name), '')
    const line = `svc autocomplete fish | source; complete -C '${typed.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`
    const { stdout, stderr } = await inShell(svc, ['fish', '--no-config'], line)
    expect(stderr).toBe('')
    expect(stdout).toContain(expected)
    if (typed.includes('import')) expect(stdout).not.toContain('.bak')
  })
})
