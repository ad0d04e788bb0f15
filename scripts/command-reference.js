// Writes docs/commands and docs/commands.md from the manifest of the built program. With --check it writes nothing,
// and exits 1 if a page is out of date.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const inRoot = (...path) => join(root, ...path)
const { helpGroups } = await import(new URL('../src/cli/help/help-groups.ts', import.meta.url).href)
const { showArgument } = await import(new URL('../src/cli/help/command-help.ts', import.meta.url).href)
const read = (name) => JSON.parse(readFileSync(inRoot(name), 'utf8'))
const { topics } = read('package.json').oclif
const commands = Object.values(read('oclif.manifest.json').commands)
  .filter(({ id }) => id !== 'help')
  .map((command) => ({ ...command, typed: `svc ${command.id.replaceAll(':', ' ')}` }))
  .sort((one, other) => (one.typed < other.typed ? -1 : 1))

const made = '<!-- Made by `npm run docs` from the commands themselves. -->'
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1)
const anchorOf = (typed) => typed.replaceAll(' ', '-')
const lines = (...parts) => parts.flat().join('\n')
/** Escapes text for a Markdown table cell. */
const plain = (text) => text.replaceAll('<', '&lt;').replaceAll('*', '\\*')
const cell = (text) => plain(text).replaceAll('|', '\\|')
const row = (...cells) => `| ${cells.join(' | ')} |`
const table = (heads, rows) => (rows.length === 0 ? [] : ['', row(...heads), row(...heads.map(() => '---')), ...rows])

/** As the user types it: `-o, --output <table|json>`, `--[no-]call-now`. */
function written(flag) {
  const name = `--${flag.allowNo ? '[no-]' : ''}${flag.name}`
  const word = flag.type === 'option' ? ` ${flag.helpValue ?? '<value>'}` : ''
  return [...(flag.char ? [`-${flag.char}`] : []), `${name}${word}`].join(', ')
}

function flagRow(flag) {
  const choices = flag.options ? `: ${flag.options.map((option) => `\`${option}\``).join(', ')}` : ''
  return row(`\`${written(flag)}\``, `${cell(flag.summary ?? '')}${choices}`)
}

const isOwn = ({ helpGroup }) => helpGroup !== 'GLOBAL'

function section({ typed, summary, description, args, flags, examples }) {
  const words = Object.values(args)
  const usage = [typed, ...words.map(showArgument), '[flags]']
  return lines(
    `## ${typed}`,
    '',
    `${sentence(summary)}. ${plain(description)}`,
    '',
    '```text',
    usage.join(' '),
    '```',
    table(
      ['Argument', 'Meaning'],
      words.map(({ name, description: meaning }) => row(`\`${name}\``, cell(meaning ?? ''))),
    ),
    table(['Flag', 'Meaning'], Object.values(flags).filter(isOwn).map(flagRow)),
    '',
    '```sh',
    examples.map((example) => example.replaceAll('<%= config.bin %>', 'svc')),
    '```',
    '',
  )
}

const ofName = (name) => commands.filter(({ id }) => id.split(':')[0] === name)

function page(name) {
  const about = topics[name]?.description
  const head = [`# svc ${name}`, '', made, '', ...(about ? [`${sentence(about)}.`, ''] : [])]
  const note = 'Every command also takes the [flags of all commands](../commands.md#flags-of-every-command).'
  return lines(head, note, '', ofName(name).map(section))
}

function index() {
  const groups = helpGroups.map(([heading, names]) => {
    const rows = names.flatMap(ofName).map(({ typed, id, summary }) => {
      return row(`[\`${typed}\`](commands/${id.split(':')[0]}.md#${anchorOf(typed)})`, cell(summary))
    })
    return lines(`## ${heading}`, table(['Command', 'What it does'], rows), '')
  })
  const common = Object.values(commands[0].flags).filter((flag) => !isOwn(flag))
  const about =
    'Each command says the same with `--help`. Exit codes, variables and formats: [output and exit codes](output-and-exit-codes.md).'
  const every = lines('## Flags of every command', table(['Flag', 'Meaning'], common.map(flagRow)), '')
  return lines('# Commands', '', made, '', about, '', groups, every)
}

const names = helpGroups.flatMap(([, group]) => group)
const homeless = commands.filter(({ id }) => !names.includes(id.split(':')[0]))
if (homeless.length > 0) throw new Error(`in no group of the help: ${homeless.map(({ typed }) => typed).join(', ')}`)

const pages = new Map([['commands.md', index()], ...names.map((name) => [`commands/${name}.md`, page(name)])])
const kept = readdirSync(inRoot('docs', 'commands')).map((name) => `commands/${name}`)
const gone = kept.filter((path) => !pages.has(path))
const old = (path, text) => !existsSync(inRoot('docs', path)) || readFileSync(inRoot('docs', path), 'utf8') !== text
const stale = [...[...pages].filter(([path, text]) => old(path, text)).map(([path]) => path), ...gone]

if (process.argv.includes('--check')) {
  for (const path of stale) console.error(`docs/${path} is out of date. Run npm run docs.`)
  process.exitCode = stale.length > 0 ? 1 : 0
} else {
  for (const path of gone) rmSync(inRoot('docs', path))
  for (const path of stale) if (pages.has(path)) writeFileSync(inRoot('docs', path), pages.get(path))
}
