/** Help fits the terminal: no line is too wide, no word is broken, and examples can be copied. */
import { describe, expect, it } from 'vitest'
import { helpWidth, layOutExample, layOutRows, wrapText } from '../../../src/cli/help/help-layout.js'
import { SvcAt } from '../../support/programs/svc-at.js'
import { everyCommand, Svc } from '../../support/programs/svc.js'
import { hasTerminals, runAtTerminal, TerminalSvc } from '../../support/programs/terminal.js'

const svc = new Svc({ NO_COLOR: '1' })

it.each([
  [{ isTTY: true, columns: 200 }, 120],
  [{ isTTY: true, columns: 99 }, 99],
  [{ isTTY: true, columns: 10 }, 30],
  [{ columns: 200 }, 80],
  [{ isTTY: true }, 80],
])('the width for %j is %i', (stream, width) => expect(helpWidth(stream)).toBe(width))

it('text wraps between words, and a long word stays whole', () => {
  expect(wrapText('one two three-and-a-half four', 9)).toEqual(['one two', 'three-and-a-half', 'four'])
})

it('rows have two columns, or one on a narrow terminal', () => {
  const rows = [
    ['-y, --yes', 'Skip the confirmation'],
    ['    --limit <value>', 'Maximum number to list'],
  ] as const
  expect(layOutRows(rows, 80)).toEqual([
    '  -y, --yes            Skip the confirmation',
    '      --limit <value>  Maximum number to list',
  ])
  expect(layOutRows(rows, 40)).toEqual([
    '  -y, --yes',
    '      Skip the confirmation',
    '      --limit <value>',
    '      Maximum number to list',
  ])
})

it('a long example continues after a backslash, with each flag next to its value', () => {
  expect(layOutExample('svc leads add --campaign "Web leads" --name "Ann Lee" --call-now', 44)).toEqual([
    '  $ svc leads add --campaign "Web leads" \\',
    '  --name "Ann Lee" --call-now',
  ])
})

describe.runIf(hasTerminals)('at a terminal', () => {
  it.each([40, 80, 120, 200])('of %i columns no line is too wide', async (columns) => {
    const pages = [
      ['--help'],
      ['leads', '--help'],
      ['leads', 'import', '--help'],
      ['webhooks', 'listen', '--help'],
      ['help', 'environment'],
    ]
    for (const words of pages) {
      const { code, screen } = await runAtTerminal(svc, words, { columns })
      expect(code).toBe(0)
      // An address stays whole.
      const tooWide = screen.split('\n').filter((line) => line.length > Math.min(columns, 120) && !line.includes('://'))
      expect(tooWide, words.join(' ')).toEqual([])
    }
  })
})

describe.runIf(hasTerminals)('svc --help at a terminal', () => {
  it.each([
    [24, 80],
    [35, 80],
    [28, 60],
    [50, 100],
  ])('of %i rows and %i columns fits, and begins with the commands about leads', async (rows, columns) => {
    const { screen } = await new TerminalSvc(svc, [], { rows, columns, env: { NO_COLOR: '1' } }).end()
    const lines = screen.trimEnd().split('\n')
    expect(lines.length).toBeLessThan(rows - 1)
    expect(screen).toMatch(/Leads and calls\n  leads +People to call/)
    // The names of all commands are there, also without their meaning.
    for (const name of ['exports', 'webhooks', 'simulate', 'conform', 'login', 'version'])
      expect(screen).toMatch(new RegExp(`^  (.*, )?${name}(,| |$)`, 'm'))
    expect(/^  version +Print the version$/m.test(screen)).toBe(rows === 50)
  })
})

it('has the sections of every command in one order, required flags and defaults marked', async () => {
  const { stdout } = await svc.run(['events', 'tail', '--help'])
  expect(stdout.match(/^[A-Z][a-z ]+$/gm)?.slice(1)).toEqual(['Usage', 'Flags', 'Global flags', 'Examples'])
  expect(stdout).toMatch(/ {2}--interval <\S+> [^]*?\(default: \w+\)/)
  const add = await svc.run(['leads', 'add', '--help'])
  expect(add.stdout).toMatch(/--campaign <name or id> +Campaign to add the lead to \(required\)/)
  expect(add.stdout).toContain('--campaign "Web leads"')
})

it('starts every example with a command that a person would type, with names in place of ids', () => {
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-/
  const withIds = everyCommand().filter(
    ([typed, { examples }]) => /^(?:leads|campaigns) /.test(typed) && uuid.test(examples[0] ?? ''),
  )
  expect(withIds.map(([typed]) => typed)).toEqual([])
})

it('names each argument after what it is, such as <lead>, so that a person sees which id is due', () => {
  const args = everyCommand().flatMap(([typed, command]) =>
    Object.values(command.args).map(({ name }) => `${typed} <${name}>`),
  )
  expect(args).toEqual(
    expect.arrayContaining([
      ...['leads get <lead>', 'campaigns get <campaign>', 'calls get <call>', 'webhooks get <endpoint>'],
      ...['webhooks resend <endpoint>', 'webhooks resend <delivery>', 'events get <event>'],
    ]),
  )
  expect(args.filter((one) => /<(?:\w|id|.*-id)>/.test(one))).toEqual([])
})

it('says what is missing with an example to type', async () => {
  const at = await SvcAt.start()
  const commands = everyCommand().filter(([, { args }]) =>
    Object.values(args).some(({ description = '' }) => description.includes('(required')),
  )
  for (const [typed] of commands) {
    const { code, stderr } = await at.run(typed.split(' '))
    expect({ typed, code }).toEqual({ typed, code: 2 })
    if (stderr.startsWith('Error: Missing: '))
      expect(stderr).toMatch(new RegExp(`^[^\\n]*\\n {2}[^\\n]* For example: .*svc ${typed} .+\\n$`))
  }
})
