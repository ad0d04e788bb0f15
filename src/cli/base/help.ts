/** Help output: commands grouped by task; a command's own flags come before the global ones. */
import { CommandHelp, Help } from '@oclif/core/help'
import { summariesOf } from './command-summaries.js'
import { helpGroups } from './help-groups.js'
import { helpTopics } from './help-topics.js'
import { describeUnknownCommand } from '../errors/unknown-command.js'

class SvcCommandHelp extends CommandHelp {
  /** Usage line with the arguments only. The flags are listed below it; the global ones would make the line too long. */
  protected override defaultUsage(): string {
    const names = Object.values(this.command.args).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))
    return [this.command.id, ...names, '[FLAGS]'].join(' ')
  }
}

export default class SvcHelp extends Help {
  protected override CommandHelpClass = SvcCommandHelp

  /** Shows help for a command, a command group or a help topic, or for the whole program if none is given. */
  override async showHelp(argv: string[]): Promise<void> {
    const [first, second] = argv.filter((word) => !word.startsWith('-'))
    const topic = second === undefined ? helpTopics[first ?? ''] : undefined
    if (topic) return this.log(topic.text)
    await super.showHelp(argv).catch((error: unknown) => {
      const unknown = /^Command (\S+) not found\.$/.exec(error instanceof Error ? error.message : '')?.[1]
      throw unknown === undefined ? error : describeUnknownCommand(unknown, [], summariesOf(this.config))
    })
  }

  protected override showRootHelp(): Promise<void> {
    const { bin, pjson } = this.config
    const summaries = this.#summaries()
    const grouped = new Set(helpGroups.flatMap(([, names]) => names))
    const others = [...summaries.keys()].filter((name) => !grouped.has(name))
    this.log(`${pjson.description ?? ''}\n`)
    this.log(`${this.section('USAGE', `$ ${bin} <command> [flags]`)}\n`)
    for (const [heading, names] of [...helpGroups, ['OTHERS', others] as const]) {
      const rows = names
        .filter((name) => summaries.has(name))
        .map((name): [string, string] => [name, summaries.get(name) ?? ''])
      if (rows.length > 0) this.log(`${this.section(heading, rows)}\n`)
    }
    const topics = Object.entries(helpTopics).map(([name, { summary }]): [string, string] => [`help ${name}`, summary])
    this.log(
      `${this.section('HELP', [...topics, ['<command> --help', 'Description, flags and examples of a command']])}\n`,
    )
    return Promise.resolve()
  }

  /** Top-level entries: commands and command groups. */
  #summaries(): Map<string, string> {
    const topics = this.sortedTopics.map(({ name, description }) => [name, description ?? ''] as const)
    const commands = this.sortedCommands.map((command) => [command.id, this.summary(command) ?? ''] as const)
    return new Map([...topics, ...commands].filter(([name]) => !name.includes(':') && name !== 'help'))
  }
}
