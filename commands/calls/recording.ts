import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { yesFlag } from '../../src/cli/base/flags.js'
import { nameToSave } from '../../src/cli/base/replace-file.js'
import { checkSaveable, saveDownload } from '../../src/cli/base/save.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { stripControls } from '../../src/output/sanitize.js'
import { findCall, lastCallFlag } from '../../src/cli/lookup/call.js'

export default class CallsRecording extends SvcCommand<typeof CallsRecording> {
  static override summary = 'Get the recording of a call'
  static override description =
    'Prints a link that works without a key for five minutes. With --download, saves the recording instead.'
  static override examples = [
    '<%= config.bin %> calls recording 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22',
    '<%= config.bin %> calls recording 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --download call.wav',
    '<%= config.bin %> calls recording 5d2c7e19-04b6-4f9a-8c31-6b7a9e0d1f22 --json',
  ]
  static override args = {
    call: Args.string({ description: 'Id of the call (required unless --lead is given)', ignoreStdin: true }),
  }
  static override flags = {
    ...lastCallFlag,
    download: Flags.string({
      summary:
        'File to save the recording to, or - for standard output. Asks at a terminal before it replaces a file; a script replaces it',
      helpValue: '<file.wav>',
    }),
    ...yesFlag,
  }

  protected override get nextSteps() {
    return { recording_not_available: 'A call has a recording only when it is over: svc calls get shows its status.' }
  }

  protected async perform({ args, flags }: Parsed<typeof CallsRecording>): Promise<void> {
    checkSaveable(flags.download)
    const client = await this.client()
    const id = await findCall(this, client, args.call, flags.lead, 'recording_available')
    const download = await nameToSave(this, flags.download, flags.yes)
    const { body } = await client.call('getRecording', { params: { id } })
    const { url, expires_at } = body.data
    const asked = flags.json || flags.output !== undefined || flags.columns !== undefined
    if (download !== undefined) {
      const bytes = await saveDownload(url, download, this.around, { withinMs: this.answerWithinMs })
      // With `--download -`, stdout carries the recording itself.
      if (asked && download !== '-') await this.printer().record(body, resourceColumns.recording)
      return this.note(`Saved ${download} (${bytes} bytes).\n`)
    }
    if (asked) return this.printer().record(body, resourceColumns.recording)
    await this.printer().foreignText(url)
    this.note(stripControls(`The link works until ${expires_at}.\n`))
  }
}
