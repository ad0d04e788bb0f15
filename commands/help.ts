import { loadHelpClass } from '@oclif/core/help'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'

export default class HelpCommand extends SvcCommand<typeof HelpCommand> {
  static override summary = 'Show help for a command, exit-codes, environment or output'
  static override description = 'Works like --help after a command.'
  static override examples = ['<%= config.bin %> help leads add', '<%= config.bin %> help exit-codes']
  static override strict = false

  protected async perform({ argv }: Parsed<typeof HelpCommand>): Promise<void> {
    const HelpClass = await loadHelpClass(this.config)
    await new HelpClass(this.config, this.config.pjson.oclif.helpOptions).showHelp([...argv])
  }
}
