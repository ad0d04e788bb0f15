/** Help: commands by what a person wants to do, and a command's own flags before those that all of them have. */
import { CommandHelp, Help } from '@oclif/core/help'
import { helpGroups } from './help-groups.js'
import { helpTopics } from './help-topics.js'
import { describeUnknownCommand } from '../errors/unknown-command.js'

class SvcCommandHelp extends CommandHelp {
  /** Names the arguments alone: the flags stand below it, and those of every command would bury the rest. */
  protected override defaultUsage(): string {
    const names = Object.values(this.command.args).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))
    return [this.command.id, ...names, '[FLAGS]'].join(' ')
  }
}

export default class SvcHelp extends Help {
  protected override CommandHelpClass = SvcCommandHelp

  /** Helps with a command, a topic of commands, or a topic of help; with the whole program where nothing is named. */
  override async showHelp(argv: string[]): Promise<void> {
    const [first, second] = argv.filter((word) => !word.startsWith('-'))
    const topic = second === undefined ? helpTopics[first ?? ''] : undefined
    if (topic) return this.log(topic.text)
    await super.showHelp(argv).catch((error: unknown) => {
      const unknown = /^Command (\S+) not found\.$/.exec(error instanceof Error ? error.message : '')?.[1]
      throw unknown === undefined
        ? error
        : describeUnknownCommand(
            unknown,
            [],
            [...this.config.commandIDs, ...this.config.topics.map(({ name }) => name)],
          )
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
      `${this.section('HELP', [...topics, ['<command> --help', 'what a command does and takes, with examples']])}\n`,
    )
    return Promise.resolve()
  }

  /** What stands at the top: commands, and topics of commands that are no command themselves. */
  #summaries(): Map<string, string> {
    const topics = this.sortedTopics.map(({ name, description }) => [name, description ?? ''] as const)
    const commands = this.sortedCommands.map((command) => [command.id, this.summary(command) ?? ''] as const)
    return new Map([...topics, ...commands].filter(([name]) => !name.includes(':') && name !== 'help'))
  }
}
