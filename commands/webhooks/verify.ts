import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { exitCodes } from '../../src/cli/errors/exit-codes.js'
import { durationMs, repeated } from '../../src/cli/base/flags.js'
import { readInput } from '../../src/cli/input/stdin.js'
import { givenSecrets } from '../../src/cli/input/webhook-secrets.js'

export default class WebhooksVerify extends SvcCommand<typeof WebhooksVerify> {
  static override summary = 'Check the signature of a webhook'
  static override description =
    'Compares the Service-Signature header with the raw body, offline, and explains the likely cause of a mismatch. Exits 0 if the ' +
    'signature is valid, else 1.'
  static override examples = [
    '<%= config.bin %> webhooks verify --secret whsec_... --signature "t=1790812800,v1=5257a869..." --body body.json',
    'cat body.json | <%= config.bin %> webhooks verify --secret whsec_... --signature "t=1790812800,v1=5257a869..." --body -',
  ]
  static override flags = {
    secret: Flags.string({
      summary:
        'Secret of the endpoint, or - for standard input; repeatable; defaults to SVC_WEBHOOK_SECRET (required if that is not set)',
      helpValue: '<whsec_...>',
      ...repeated,
    }),
    signature: Flags.string({
      summary: 'Value of the Service-Signature header (required)',
      helpValue: '<t=...,v1=...>',
    }),
    body: Flags.string({ summary: 'Raw body: a file, or - for standard input (required)', helpValue: '<file>' }),
    tolerance: Flags.string({
      summary: 'Allowed clock difference; 300 seconds by default',
      helpValue: '<seconds>',
    }),
  }

  protected async perform({ flags }: Parsed<typeof WebhooksVerify>): Promise<void> {
    const given = await givenSecrets(flags.secret, this.around, flags.body)
    const [secrets = '', signature = '', file = ''] = await this.promptForMissing(
      { flag: '--secret', label: 'Secret', value: given?.join('\n'), hidden: true },
      { flag: '--signature', label: 'Signature', value: flags.signature },
      { flag: '--body', label: 'Body (file)', value: flags.body },
    )
    // The value may be copied together with the header's name.
    const header = signature.replace(/^\s*service-signature\s*:\s*/i, '')
    const body = await readInput(file, this.around.stdin)
    const { verify } = await import('../../src/webhooks/sign.js')
    const now = Math.floor(Date.now() / 1000)
    const toleranceSeconds =
      flags.tolerance === undefined ? undefined : durationMs(flags.tolerance, '--tolerance') / 1000
    const verdict = verify({
      body,
      header,
      secrets: secrets.split('\n'),
      now,
      explain: true,
      ...(toleranceSeconds !== undefined && { toleranceSeconds }),
    })
    const shown = verdict.ok
      ? { valid: true, signed_at: new Date(verdict.at * 1000).toISOString() }
      : { valid: false, reason: verdict.reason, hint: verdict.hint ?? '' }
    const printer = this.printer()
    if (printer.style.format === 'json') await printer.json({ data: shown })
    else await printer.text(verdict.ok ? `valid: signed at ${shown.signed_at}` : `not valid: ${verdict.reason}`)
    if (verdict.ok) return
    if (printer.style.format !== 'json') this.note(`${verdict.hint ?? ''}\n`)
    this.exitWith(exitCodes.failed)
  }
}
