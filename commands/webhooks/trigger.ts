import { randomUUID } from 'node:crypto'
import * as Args from '@oclif/core/args'
import * as Flags from '@oclif/core/flags'
import { eventTypeChoices } from '../../src/cli/input/choices.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { parseEventType } from '../../src/cli/input/event-types.js'
import { exitCodes } from '../../src/cli/errors/exit-codes.js'
import { parseForwardAddress } from '../../src/cli/input/forward-address.js'
import { isAccepted } from '../../src/cli/listen/forwarder.js'
import { loadListenSecret } from '../../src/cli/listen/listen-secret.js'
import { shortSecret } from '../../src/cli/errors/short-secret.js'
import { onePage } from '../../src/cli/base/pages.js'
import { givenSecrets } from '../../src/cli/input/webhook-secrets.js'
import { explainReceiverFailure } from '../../src/cli/listen/receiver-hint.js'
import { deliveryHeaders, webhookHeaders } from '../../src/webhooks/headers.js'
import { isUsableSecret, secretLengthMin } from '../../src/webhooks/secret.js'
import { sign } from '../../src/webhooks/sign.js'
import { resourceColumns } from '../../src/output/columns-of-resources.js'
import type { PostOutcome } from '../../src/client/post.js'

/** Twice the age that receivers accept (rule W5). */
const staleSeconds = 600

export default class WebhooksTrigger extends SvcCommand<typeof WebhooksTrigger> {
  static override summary = 'Send a signed sample event to a local server'
  static override description =
    'Creates a sample event and POSTs it with the envelope, headers and signature of the service. Contacts no service. Exits 0 if ' +
    'your server accepts a valid sample, or refuses one made with --corrupt-signature or --stale.'
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
        'Secret to sign with, or - for standard input; defaults to SVC_WEBHOOK_SECRET, else to the secret of svc webhooks listen (required)',
      helpValue: '<whsec_...>',
    }),
    'corrupt-signature': Flags.boolean({ summary: 'Send an invalid signature' }),
    stale: Flags.boolean({ summary: 'Sign with a time ten minutes ago' }),
    duplicate: Flags.boolean({ summary: 'Send the same event twice' }),
  }

  protected async perform({ args, flags }: Parsed<typeof WebhooksTrigger>): Promise<void> {
    this.expectColumns(resourceColumns.sentWebhook)
    const given = await givenSecrets(flags.secret === undefined ? undefined : [flags.secret], this.around)
    const own = given === undefined ? loadListenSecret(this.settings, this.profiles()) : undefined
    const [name = '', address = '', secret = ''] = await this.promptForMissing(
      { flag: '<type>', label: 'Event', value: args.type, choices: eventTypeChoices },
      { flag: '--forward-to', label: 'Your server', value: flags['forward-to'] },
      { flag: '--secret', label: 'Secret', value: given?.[0] ?? own, hidden: true },
    )
    const type = parseEventType(name)
    const url = parseForwardAddress(address, '--forward-to')
    if (!isUsableSecret(secret)) throw shortSecret(secretLengthMin)
    if (own !== undefined) this.note('Signed with the secret that svc webhooks listen --print-secret shows.\n')
    const [{ sampleEvent }, { postWebhook: post }] = await Promise.all([
      import('../../src/contract/sample.js'),
      import('../../src/client/post.js'),
    ])
    const id = `evt_${randomUUID().replaceAll('-', '')}`
    const event = sampleEvent(type, {
      id,
      leadId: randomUUID(),
      callId: randomUUID(),
      campaignId: randomUUID(),
      at: Date.now(),
    })
    const body = Buffer.from(JSON.stringify(event))

    const sent: object[] = []
    const outcomes: PostOutcome[] = []
    for (let time = 0; time < (flags.duplicate ? 2 : 1); time++) {
      const deliveryId = randomUUID()
      const signature = sign({
        body,
        secrets: [secret],
        at: Math.floor(Date.now() / 1000) - (flags.stale ? staleSeconds : 0),
      })
      const headers = {
        ...deliveryHeaders({ eventId: id, eventType: type, deliveryId, attempt: 1 }),
        [webhookHeaders.signature]: flags['corrupt-signature'] ? corruptSignature(signature) : signature,
      }
      const outcome = await post({ url, headers, body })
      outcomes.push(outcome)
      sent.push({ type, event_id: id, delivery_id: deliveryId, url: url.href, ...outcome })
    }
    await this.printer().list(onePage({ data: sent }), resourceColumns.sentWebhook)
    this.#judge(outcomes, Boolean(flags['corrupt-signature'] || flags.stale))
  }

  #judge(outcomes: readonly PostOutcome[], spoilt: boolean): void {
    const silent = outcomes.find(({ status }) => status === null)
    if (silent) {
      this.note(`${explainReceiverFailure(silent.error ?? '')}\n`)
      return this.exitWith(exitCodes.unreachable)
    }
    const refused = outcomes.find((outcome) => !isAccepted(outcome))
    if (spoilt === (refused !== undefined)) return
    this.note(
      refused
        ? `${explainReceiverFailure(refused.status ?? 0)}\n`
        : 'Your server took a webhook that it should have refused: it does not check what it is sent.\n',
    )
    this.exitWith(exitCodes.failed)
  }
}

/** Replaces the last digit. */
const corruptSignature = (signature: string): string => signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))
