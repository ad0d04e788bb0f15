import { randomUUID } from 'node:crypto'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { eventTypeChoices } from '../../src/cli/input/questions/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { parseEventType } from '../../src/cli/input/event-types.js'
import { parseForwardAddress } from '../../src/cli/input/forward-address.js'
import { loadListenSecret } from '../../src/cli/listen/listen-secret.js'
import { shortSecret } from '../../src/cli/errors/short-secret.js'
import { judgeAnswers, postSigned, type Flaw } from '../../src/cli/listen/signed-post.js'
import { onePage } from '../../src/cli/base/pages.js'
import { givenSecrets } from '../../src/cli/input/webhook-secrets.js'
import { isUsableSecret, secretLengthMin } from '../../src/webhooks/secret.js'
import { resultColumns } from '../../src/output/columns/results.js'

export default class WebhooksTrigger extends SvcCommand<typeof WebhooksTrigger> {
  static override summary = 'Send a signed sample event to a local server'
  static override description =
    'Creates a sample event and POSTs it with the envelope, headers and signature of the service. Contacts no service. Ends ' +
    'with a verdict. Exits 0 only if your server answers as it should: 2xx to a valid sample, 4xx to one made with ' +
    '--corrupt-signature or --stale.'
  static override examples = [
    '<%= config.bin %> webhooks trigger call.completed --forward-to 3000',
    '<%= config.bin %> webhooks trigger lead.interested --forward-to http://localhost:3000/hooks --secret whsec_... --duplicate',
    '<%= config.bin %> webhooks trigger call.completed --forward-to /hooks --corrupt-signature',
  ]
  static override args = {
    type: Args.string({ description: 'Event type of the sample (required)', ignoreStdin: true }),
  }
  static override flags = {
    'forward-to': Flags.string({
      summary: 'Server to send the sample to: a port, a /path on port 3000, or a URL (required)',
      helpValue: '<url>',
    }),
    secret: Flags.string({
      summary:
        'Secret to sign with, or - for standard input; defaults to SVC_WEBHOOK_SECRET, else to the secret of svc webhooks listen (required if there is neither)',
      helpValue: '<whsec_...>',
    }),
    'corrupt-signature': Flags.boolean({ summary: 'Send an invalid signature' }),
    stale: Flags.boolean({ summary: 'Sign with a time ten minutes ago' }),
    duplicate: Flags.boolean({ summary: 'Send the same event twice' }),
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksTrigger>): Promise<void> {
    this.expectColumns(resultColumns.sentWebhook)
    const given = await givenSecrets(flags.secret === undefined ? undefined : [flags.secret], this.around)
    const own = given === undefined ? loadListenSecret(this.settings, this.profiles()) : undefined
    const [name = '', address = '', secret = ''] = await this.promptForMissing(
      { flag: '<type>', label: 'Event', value: args.type, choices: eventTypeChoices, verifyGiven: parseEventType },
      { flag: '--forward-to', label: 'Your server', value: flags['forward-to'] },
      { flag: '--secret', label: 'Secret', value: given?.[0] ?? own, hidden: true },
    )
    const type = parseEventType(name)
    const url = parseForwardAddress(address, '--forward-to')
    if (!isUsableSecret(secret)) throw shortSecret(secretLengthMin)
    if (own !== undefined) this.note('Signed with the secret that svc webhooks listen --print-secret shows.\n')
    const { sampleEvent } = await import('../../src/contract/sample.js')
    const id = `evt_${randomUUID().replaceAll('-', '')}`
    const event = sampleEvent(type, {
      id,
      leadId: randomUUID(),
      callId: randomUUID(),
      campaignId: randomUUID(),
      at: Date.now(),
    })
    const flaws: Flaw[] = [
      ...(flags['corrupt-signature'] ? (['corrupt'] as const) : []),
      ...(flags.stale ? (['stale'] as const) : []),
    ]
    const answers = [await postSigned({ event, url, secret, flaws })]
    if (flags.duplicate) answers.push(await postSigned({ event, url, secret, flaws }))
    const printer = this.printer()
    await printer.list(onePage({ data: answers.map(({ sent }) => sent) }), resultColumns.sentWebhook)
    const { text, exitCode } = judgeAnswers(answers, flaws)
    if (exitCode !== 0 || !printer.style.format.endsWith('json')) this.note(`${text}\n`)
    this.exitWith(exitCode)
  }
}
