/** Help output: commands grouped by task; a command's own flags come before the global ones, and examples last. */
import type { Command } from '@oclif/core/command'
import type { Interfaces } from '@oclif/core'
import { Help } from '@oclif/core/help'
import { processIO } from '../../config/environment.js'
import { bold } from '../../output/badge.js'
import { wantsColor } from '../../output/style.js'
import { describeCommand, type Section } from './command-help.js'
import { knownCommandsOf } from './command-summaries.js'
import { helpGroups } from './help-groups.js'
import { helpWidth, layOutRows, layOutText, wrapText } from './help-layout.js'
import { helpTopics } from './help-topics.js'
import { tokensOf } from '../base/word-order.js'
import { describeFlagWithoutCommand, describeUnknownCommand, type KnownCommands } from '../errors/unknown-command.js'
import { globalFlags } from '../base/flags.js'

export default class SvcHelp extends Help {
  readonly #width = helpWidth(process.stdout)

  /** Shows help for a command, a command group or a help topic, or for the whole program if none is given. */
  override async showHelp(argv: string[]): Promise<void> {
    const [first, second] = argv.filter((word) => !word.startsWith('-'))
    const topic = second === undefined ? helpTopics[first ?? ''] : undefined
    if (topic) return this.log(topic.text(this.#width))
    refuseFlagWithoutCommand(first, knownCommandsOf(this.config))
    await super.showHelp(argv).catch((error: unknown) => {
      const unknown = /^Command (\S+) not found\.$/.exec(error instanceof Error ? error.message : '')?.[1]
      throw unknown === undefined ? error : describeUnknownCommand(unknown, [], knownCommandsOf(this.config))
    })
  }

  override showCommandHelp(command: Command.Loadable): Promise<void> {
    const sections = describeCommand(command, this.config.bin, this.#width)
    this.#show(command.summary ?? '', [...sections, this.#commandsBelow(command.id)])
    return Promise.resolve()
  }

  protected override showTopicHelp({ name, description = '' }: Interfaces.Topic): Promise<void> {
    const typed = `${this.config.bin} ${name.replaceAll(':', ' ')} <command>`
    const more = `${typed} --help shows the flags and examples of a command.`
    const usage: Section = ['Usage', layOutText(`${typed} [flags]`, this.#width)]
    this.#show(description, [usage, this.#commandsBelow(name), ['', wrapText(more, this.#width)]])
    return Promise.resolve()
  }

  protected override showRootHelp(): Promise<void> {
    const { bin, pjson } = this.config
    const summaries = this.#topLevel()
    const grouped = new Set(helpGroups.flatMap(([, names]) => names))
    const others = [...summaries.keys()].filter((name) => !grouped.has(name))
    const groups = [...helpGroups, ['Others', others] as const].map(
      ([heading, names]): [string, [string, string][]] => [
        heading,
        names.filter((name) => summaries.has(name)).map((name) => [name, summaries.get(name) ?? '']),
      ],
    )
    // All groups have one width of names.
    const longest = Math.max(...groups.flatMap(([, rows]) => rows.map(([name]) => name.length)))
    const shown = groups.filter(([, rows]) => rows.length > 0)
    const full = shown.map(([heading, rows]): Section => [
      heading,
      layOutRows(
        rows.map(([name, summary]) => [name.padEnd(longest), summary]),
        this.#width,
      ),
    ])
    const ends = [
      `More: ${bin} <command> --help, and ${bin} help ${Object.keys(helpTopics).join(', ')}.`,
      `Start: ${bin} simulate, and ${bin} leads add in another terminal.`,
    ].flatMap((sentence) => wrapText(sentence, this.#width))
    const title = String(pjson.description ?? '')
    const withGroups = (count: number): Section[] => {
      const names = shown.slice(count).flatMap(([, rows]) => rows.map(([name]) => name))
      const more: Section = ['More commands', names.length === 0 ? [] : layOutText(names.join(', '), this.#width)]
      return [['', [`Usage: ${bin} <command> [flags]`]], ...full.slice(0, count), more, ['', ends]]
    }
    // Only the first group is sure to be shown: a longer page would scroll it away.
    let count = full.length
    while (count > 1 && !this.#fits(title, withGroups(count))) count--
    this.#show(title, withGroups(count))
    return Promise.resolve()
  }

  /** Whether the page leaves room for the prompt of the shell. */
  #fits(title: string, sections: readonly Section[]): boolean {
    const { isTTY, rows } = process.stdout
    return !isTTY || !rows || this.#layOut(title, sections).split('\n').length < rows
  }

  /** Commands and groups one level below, by the word to type. */
  #commandsBelow(name: string): Section {
    const depth = name.split(':').length + 1
    const isBelow = (id: string) => id.startsWith(`${name}:`) && id.split(':').length === depth
    const rows = [
      ...this.sortedTopics.map((topic) => [topic.name, topic.description ?? ''] as const),
      ...this.sortedCommands.map((command) => [command.id, command.summary ?? ''] as const),
    ].filter(([id]) => isBelow(id))
    // A group may be a command, too.
    const unique = [...new Map(rows)].sort(([a], [b]) => a.localeCompare(b))
    const shown = unique.map(([id, summary]): [string, string] => [id.split(':').at(-1) ?? id, summary])
    return ['Commands', shown.length === 0 ? [] : layOutRows(shown, this.#width)]
  }

  /** Top-level entries: commands and command groups. */
  #topLevel(): Map<string, string> {
    const topics = this.sortedTopics.map(({ name, description }) => [name, description ?? ''] as const)
    // An alias is a command of its own for the framework.
    const own = this.sortedCommands.filter(({ id, aliases }) => !aliases.includes(id))
    const commands = own.map((command) => [command.id, command.summary ?? ''] as const)
    return new Map([...topics, ...commands].filter(([name]) => !name.includes(':') && name !== 'help'))
  }

  #show(title: string, sections: readonly Section[]): void {
    this.log(this.#layOut(title, sections))
  }

  #layOut(title: string, sections: readonly Section[]): string {
    const { stdout, env } = processIO()
    const color = wantsColor(Boolean(stdout.isTTY), env, !process.argv.includes('--no-color'))
    const parts = sections
      .filter(([, lines]) => lines.length > 0)
      .map(([heading, lines]) => [...(heading === '' ? [] : [bold(heading, color)]), ...lines].join('\n'))
    return `${[wrapText(title, this.#width).join('\n'), ...parts].join('\n\n')}\n`
  }
}

/** A group with a flag of its commands, such as `svc leads --limit 5`, asks for no help. Only global flags are harmless. */
function refuseFlagWithoutCommand(group: string | undefined, known: KnownCommands): void {
  const words = process.argv.slice(2)
  if (group === undefined || words.some((word) => /^(--help|-h|help)$/.test(word))) return
  for (const {
    words: [word = ''],
    isGlobal,
    rest,
  } of tokensOf(words, globalFlags))
    if (word.startsWith('-') && !isGlobal)
      throw describeFlagWithoutCommand(word, rest, known, group.replaceAll(':', ' '))
}
