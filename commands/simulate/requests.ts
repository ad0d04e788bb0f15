import * as Flags from '@oclif/core/flags'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { controlColumns } from '../../src/output/columns/control.js'

export default class SimulateRequests extends SimulatorCommand<typeof SimulateRequests> {
  static override summary = 'List the last API requests, newest first'
  static override description = 'Includes the request and reply bodies, with secrets masked.'
  static override examples = [
    '<%= config.bin %> simulate requests',
    '<%= config.bin %> simulate requests --status 429 --limit 20',
    '<%= config.bin %> simulate requests --path "/leads/**" --json',
  ]
  static override flags = {
    limit: Flags.integer({ summary: 'Maximum number to list', min: 1 }),
    path: Flags.string({ summary: 'Filter by path, below the base address', helpValue: '<glob>' }),
    status: Flags.integer({ summary: 'Filter by response status', helpValue: '<404>' }),
    key: Flags.string({ summary: 'Filter by key', helpValue: '<id>' }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateRequests>): Promise<void> {
    const control = await this.control(flags['control-token'])
    const { body } = await control.call('listRequests', {
      query: { limit: flags.limit, path: flags.path, status: flags.status, key_id: flags.key },
    })
    await this.printList(onePage(body), controlColumns.request)
  }
}
