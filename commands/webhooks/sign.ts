import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { readInput } from '../../src/cli/input/stdin.js'
import { givenSecrets } from '../../src/cli/input/webhook-secrets.js'
import { repeated } from '../../src/cli/base/flags.js'
import { shortSecret } from '../../src/cli/errors/short-secret.js'
import { isUsableSecret, secretLengthMin } from '../../src/webhooks/secret.js'

export default class WebhooksSign extends SvcCommand<typeof WebhooksSign> {
  static override summary = 'Sign a body as the service signs webhooks'
  static override description =
    'Prints the Service-Signature header value for the bytes of the body. Sends no request. With two --secret flags, makes two ' +
    'signatures, as during a secret roll.'
  static override examples = [
    '<%= config.bin %> webhooks sign --secret whsec_... --body body.json',
    'curl -H "Service-Signature: $(<%= config.bin %> webhooks sign --secret whsec_... --body body.json)" --data-binary @body.json http://localhost:3000/hooks',
  ]
  static override flags = {
    secret: Flags.string({
      summary:
        'Secret of the endpoint, or - for standard input; repeatable; defaults to SVC_WEBHOOK_SECRET (required if that is not set)',
      helpValue: '<whsec_...>',
      ...repeated,
    }),
    body: Flags.string({ summary: 'Raw body: a file, or - for standard input (required)', helpValue: '<file>' }),
  }

  protected async perform({ flags }: Parsed<typeof WebhooksSign>): Promise<void> {
    const given = await givenSecrets(flags.secret, this.around, flags.body)
    const [secrets = '', file = ''] = await this.promptForMissing(
      { flag: '--secret', label: 'Secret', value: given?.join('\n'), hidden: true },
      { flag: '--body', label: 'Body (file)', value: flags.body },
    )
    const inForce = secrets.split('\n')
    if (!inForce.every(isUsableSecret)) throw shortSecret(secretLengthMin)
    const body = await readInput(file, this.around.stdin)
    const { sign } = await import('../../src/webhooks/sign.js')
    await this.printer().text(sign({ body, secrets: inForce, at: Math.floor(Date.now() / 1000) }))
  }
}
