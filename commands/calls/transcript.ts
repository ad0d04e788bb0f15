import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { onePage } from '../../src/cli/base/pages.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { findCall, lastCallFlag } from '../../src/cli/lookup/call.js'

export default class CallsTranscript extends SvcCommand<typeof CallsTranscript> {
  static override summary = 'Show the transcript of a call'
  static override description =
    'Prints plain text, one line for each turn. With --format json, or any --output, each line has its speaker and time.'
  static override examples = [
    '<%= config.bin %> calls transcript 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22',
    '<%= config.bin %> calls transcript 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --format json',
  ]
  static override args = {
    call: Args.string({ description: 'Id of the call (required unless --lead is given)', ignoreStdin: true }),
  }
  static override flags = {
    ...lastCallFlag,
    format: Flags.option({
      options: ['text', 'json'] as const,
      summary: 'Format of the transcript: plain text or JSON',
    })(),
  }

  protected override get nextSteps() {
    return { not_found: 'A call has a transcript only when it is over: svc calls get shows its status.' }
  }

  protected async perform({ args, flags }: Parsed<typeof CallsTranscript>): Promise<void> {
    const asked = flags.json || flags.output !== undefined || flags.columns !== undefined
    if (flags.format === 'text' && asked)
      throw new UsageError('Plain text has no columns and no other format.', 'Leave --format text out, or the others.')
    const client = await this.client()
    const id = await findCall(this, client, args.call, flags.lead, 'transcript_available')
    const format = flags.format ?? (asked ? 'json' : 'text')
    const { body } = await client.call('getTranscript', { params: { id }, query: { format } })
    if (typeof body === 'string') return this.printer('table').foreignText(body)
    if (flags.format === 'json' && !asked) return this.printer('json').json(body)
    if (flags.json || flags.output === 'json') return this.printer().json(body)
    await this.printer().list(onePage({ data: body.data.lines }), resourceColumns.transcriptLine)
  }
}
