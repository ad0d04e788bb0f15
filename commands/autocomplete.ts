import * as Args from '@oclif/core/args'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'

const shells = ['bash', 'zsh', 'fish'] as const

export default class Autocomplete extends SvcCommand<typeof Autocomplete> {
  static override aliases = ['completion']
  static override summary = 'Print a shell completion script'
  static override description =
    'Completes commands, flags and their values: profiles, campaigns, endpoints, snapshots, event types and columns. Names from ' +
    'the service are looked up with the current profile. Supports bash, zsh and fish. For bash or zsh, put the line of the example into .bashrc or .zshrc. For fish, save the script ' +
    'as ~/.config/fish/completions/svc.fish.'
  static override examples = [
    'eval "$(<%= config.bin %> autocomplete bash)"',
    'eval "$(<%= config.bin %> autocomplete zsh)"',
    '<%= config.bin %> autocomplete fish > ~/.config/fish/completions/svc.fish',
  ]
  static override args = {
    shell: Args.string({ description: 'Shell: bash, zsh or fish (required)', options: [...shells], ignoreStdin: true }),
  }

  protected async perform({ args }: Parsed<typeof Autocomplete>): Promise<void> {
    const choices = () => Promise.resolve(shells.map((shell) => ({ name: shell, value: shell })))
    const [shell = ''] = await this.promptForMissing({ flag: '<shell>', label: 'Shell', value: args.shell, choices })
    const { completionScripts } = await import('../src/cli/completion/scripts.js')
    await this.printer().text(completionScripts[shell] ?? '')
  }
}
