/** The sections of a command's help. */
import type { Command } from '@oclif/core/command'
import { layOutExample, layOutRows, layOutText } from './help-layout.js'

/** A heading and its lines. */
export type Section = readonly [heading: string, lines: readonly string[]]

export function describeCommand(command: Command.Loadable, bin: string, width: number): Section[] {
  const id = command.id.replaceAll(':', ' ')
  const args = Object.values(command.args ?? {}).filter(({ hidden }) => !hidden)
  const flags = Object.values(command.flags ?? {}).filter(({ hidden }) => !hidden)
  const isGlobal = ({ helpGroup }: Command.Flag.Cached) => helpGroup === 'GLOBAL'
  const names = args.map(showArgument)
  const examples = (command.examples ?? []).map((one) => (typeof one === 'string' ? one : one.command))
  const aliases = command.aliases ?? []
  const sections: Section[] = [
    ['', layOutText(command.description ?? '', width + 2).map((line) => line.trim())],
    ['Usage', layOutText([bin, id, ...names, '[flags]'].join(' '), width)],
    ['Aliases', aliases.map((alias) => `  ${bin} ${alias.replaceAll(':', ' ')}`)],
    [
      'Arguments',
      rowsOf(
        args.map(({ name, description = '' }) => [name, description]),
        width,
      ),
    ],
    [
      'Flags',
      flagRows(
        flags.filter((flag) => !isGlobal(flag)),
        width,
      ),
    ],
    ['Global flags', flagRows(flags.filter(isGlobal), width)],
    // Last, because a terminal shows the end of a long page.
    ['Examples', examples.flatMap((example) => layOutExample(example.replaceAll('<%= config.bin %>', bin), width))],
  ]
  return sections.filter(([, lines]) => lines.some((line) => line.trim() !== ''))
}

/** Most arguments that a command needs are asked for at a terminal, so the parser does not demand them. */
export const showArgument = ({
  name,
  required,
  description = '',
}: Pick<Command.Arg.Cached, 'name' | 'required' | 'description'>): string =>
  required || description.endsWith('(required)') ? `<${name}>` : `[${name}]`

const rowsOf = (rows: readonly (readonly [string, string])[], width: number): string[] =>
  rows.length === 0 ? [] : layOutRows(rows, width)

function flagRows(flags: readonly Command.Flag.Cached[], width: number): string[] {
  const hasChars = flags.some(({ char }) => char)
  return rowsOf(
    flags.map((flag) => [
      `${hasChars ? (flag.char ? `-${flag.char}, ` : '    ') : ''}${nameOf(flag)}`,
      meaningOf(flag),
    ]),
    width,
  )
}

/** As it is typed: `--campaign <name or id>`, `--[no-]call-now`. */
function nameOf(flag: Command.Flag.Cached): string {
  if (flag.type === 'boolean') return `--${flag.allowNo ? '[no-]' : ''}${flag.name}`
  const value = Array.isArray(flag.helpValue) ? flag.helpValue.join(' ') : flag.helpValue
  return `--${flag.name} ${value ?? '<value>'}`
}

/** The summary with the possible values, the default and the variable: `Output format: table or json (default: table)`. */
function meaningOf(flag: Command.Flag.Cached): string {
  const summary = flag.summary ?? flag.description ?? ''
  if (flag.type === 'boolean') return summary
  const [last = '', ...others] = [...(flag.options ?? [])].reverse()
  const values = others.length > 0 ? `${others.reverse().join(', ')} or ${last}` : last
  const facts = [
    ...(flag.default === undefined ? [] : [`default: ${String(flag.default)}`]),
    ...(flag.env === undefined ? [] : [`or ${flag.env}`]),
  ]
  // A mark such as "(required)" stays at the end.
  const [, text = summary, mark = ''] = /^(.*?)( \(required\))$/.exec(summary) ?? []
  return `${text}${values && `: ${values}`}${facts.length > 0 ? ` (${facts.join('; ')})` : ''}${mark}`
}
