import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { onePage } from '../../src/cli/base/pages.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { shortSecret } from '../../src/cli/errors/short-secret.js'
import { findEvent } from '../../src/cli/events/find-event.js'
import { parseForwardAddress } from '../../src/cli/input/forward-address.js'
import { givenSecrets } from '../../src/cli/input/webhook-secrets.js'
import { loadListenSecret } from '../../src/cli/listen/listen-secret.js'
import { judgeAnswers, postSigned } from '../../src/cli/listen/signed-post.js'
import { resultColumns } from '../../src/output/columns/results.js'
import { isUsableSecret, secretLengthMin } from '../../src/webhooks/secret.js'

export default class EventsResend extends SvcCommand<typeof EventsResend> {
  static override summary = 'Send an event to a local server again'
  static override description =
    'Searches the events of the last 30 days and POSTs the event to your server, signed with the secret of svc webhooks listen. ' +
    'Exits 1 if your server refuses it. To send an event to a webhook endpoint again, use svc webhooks resend.'
  static override examples = [
    '<%= config.bin %> events resend evt_5c1f0a9e2b7d4836a1e09f3c7d5b2468 --forward-to 3000',
    '<%= config.bin %> events resend evt_5c1f0a9e2b7d4836a1e09f3c7d5b2468 --forward-to http://localhost:3000/hooks --json',
  ]
  static override args = { event: Args.string({ description: 'Id of the event (required)', ignoreStdin: true }) }
  static override flags = {
    'forward-to': Flags.string({
      summary: 'Server to send the event to: a port, a /path on port 3000, or a URL (required)',
      helpValue: '<url>',
    }),
    secret: Flags.string({
      summary:
        'Secret to sign with, or - for standard input; defaults to SVC_WEBHOOK_SECRET, else to the secret of svc webhooks listen (required if there is neither)',
      helpValue: '<whsec_...>',
    }),
  }

  protected async perform({ args, flags }: Parsed<typeof EventsResend>): Promise<void> {
    this.expectColumns(resultColumns.sentWebhook)
    const [given] = (await givenSecrets(flags.secret === undefined ? undefined : [flags.secret], this.around)) ?? []
    const [id = '', address = '', secret = ''] = await this.promptForMissing(
      { flag: '<event>', label: 'Event', value: args.event },
      { flag: '--forward-to', label: 'Your server', value: flags['forward-to'] },
      {
        flag: '--secret',
        label: 'Secret',
        value: given ?? loadListenSecret(this.settings, this.profiles()),
        hidden: true,
      },
    )
    const url = parseForwardAddress(address, '--forward-to')
    if (!isUsableSecret(secret)) throw shortSecret(secretLengthMin)
    const event = await findEvent(await this.client(), id, (text) => this.note(text))
    const answer = await postSigned({ event, url, secret })
    const printer = this.printer()
    await printer.list(onePage({ data: [answer.sent] }), resultColumns.sentWebhook)
    const { text, exitCode } = judgeAnswers([answer])
    if (exitCode !== 0 || !printer.style.format.endsWith('json')) this.note(`${text}\n`)
    this.exitWith(exitCode)
  }
}
