import * as Flags from '@oclif/core/flags'
import { takeProgram } from '../../src/cli/base/foreground-program.js'
import { systemClock } from '../../src/client/system-clock.js'
import { SvcCommand, type Parsed } from '../../src/cli/base/command.js'
import { parseEventFilter } from '../../src/cli/input/event-types.js'
import { NoKeyError } from '../../src/cli/errors/exit-codes.js'
import { durationMs, listFlag, repeated } from '../../src/cli/base/flags.js'
import { parseExtraHeaders } from '../../src/cli/listen/extra-headers.js'
import { Forwarder, type SignedEvent } from '../../src/cli/listen/forwarder.js'
import { hasNewKey, resolveSettings } from '../../src/config/settings.js'
import { Report } from '../../src/cli/listen/report.js'
import { runListenSession } from '../../src/cli/listen/session.js'
import { Targets } from '../../src/cli/listen/targets.js'
import { loadListenSecret } from '../../src/cli/listen/listen-secret.js'
import { shortSecret } from '../../src/cli/errors/short-secret.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { givenSecrets } from '../../src/cli/input/webhook-secrets.js'
import { chooseColumns } from '../../src/output/columns/columns.js'
import { resourceColumns } from '../../src/output/columns/resources.js'
import { resultColumns } from '../../src/output/columns/results.js'
import { maskSecrets } from '../../src/output/mask.js'
import { deliveryHeaders, webhookHeaders } from '../../src/webhooks/headers.js'
import { isUsableSecret, secretLengthMin } from '../../src/webhooks/secret.js'
import { sign } from '../../src/webhooks/sign.js'

/** All headers of a delivery. */
const ownHeaders = [...Object.values(webhookHeaders), 'Content-Type']

export default class WebhooksListen extends SvcCommand<typeof WebhooksListen> {
  static override summary = 'Forward events to a local server as they happen'
  static override description =
    'Follows the events of the account and POSTs each one to your server in order, signed like a real webhook, with retries. Needs ' +
    'no endpoint and no inbound connection. Without --forward-to, prints the events. After a lost connection or a restart, the ' +
    'next run of the same profile to the same address within a day continues after the last event that was delivered or given ' +
    'up; --since changes this. If the program is killed before it sees the answer to an event, it sends that event again. With --limit, exits 1 if ' +
    'your server has not accepted every event.'
  static override examples = [
    '<%= config.bin %> webhooks listen --forward-to 3000',
    '<%= config.bin %> webhooks listen --forward-to /hooks --event call.completed,lead.*',
    "<%= config.bin %> webhooks listen --forward-to http://localhost:3000/hooks --route 'call.*=http://localhost:3001/calls'",
    '<%= config.bin %> webhooks listen --forward-to 3000 --since 7d --limit 10 --output ndjson',
    '<%= config.bin %> webhooks listen --forward-to 3000 --exec -- node server.js',
    '<%= config.bin %> webhooks listen --print-secret',
  ]
  // The words after `--` are the command to run.
  static override strict = false
  static override flags = {
    'forward-to': Flags.string({
      summary: 'Server to send events to: a port, a /path on port 3000, or a URL',
      helpValue: '<url>',
    }),
    event: Flags.string({
      aliases: ['events'],
      summary: 'Event types to forward, such as call.*; repeatable, or a comma-separated list',
      helpValue: '<type>',
      ...repeated,
    }),
    route: Flags.string({
      summary: 'Separate URL for matching event types (repeatable)',
      helpValue: '<glob=url>',
      ...repeated,
    }),
    header: Flags.string({ summary: 'Header to add (repeatable)', helpValue: '<K: V>', ...repeated }),
    retry: Flags.integer({ summary: 'Number of retries', default: 3, min: 0, max: 100 }),
    timeout: Flags.string({ summary: 'Timeout of one attempt; 0 for none', helpValue: '<30s>', default: '30s' }),
    concurrency: Flags.integer({
      summary: 'Number of simultaneous requests; above 1, the order is not kept',
      default: 1,
      min: 1,
      max: 50,
    }),
    since: Flags.string({
      summary: 'Start with events at this time or later, such as 7d, or now',
      helpValue: '<time>',
    }),
    limit: Flags.integer({ summary: 'Number of events to end after', min: 1, aliases: ['max-events'] }),
    interval: Flags.string({
      summary: 'Polling interval when the service cannot push events',
      helpValue: '<2s>',
      default: '2s',
    }),
    secret: Flags.string({
      summary:
        'Secret to sign with, or - for standard input; defaults to SVC_WEBHOOK_SECRET, else to the secret of the profile',
      helpValue: '<whsec_...>',
    }),
    'print-secret': Flags.boolean({ summary: 'Print the secret and exit' }),
    exec: Flags.boolean({ summary: 'Run the server command given after --, with SVC_WEBHOOK_SECRET set' }),
  }

  #program: readonly string[] | undefined

  override async run(): Promise<void> {
    this.#program = takeProgram(this.argv)
    await super.run()
  }

  protected async perform({ flags, argv }: Parsed<typeof WebhooksListen>): Promise<void> {
    this.#checkWords(flags, argv)
    const targets = new Targets(flags['forward-to'], flags.route ?? [])
    const isForwarding = targets.urls.length > 0
    if (flags.exec && !isForwarding)
      throw new UsageError('--exec runs your server, and nothing says where it is.', 'Add --forward-to <port>.')
    const filters = (listFlag(flags.event) ?? ['*']).map(parseEventFilter)
    const isMeant = (type: string) =>
      filters.some((means) => means(type)) && (!isForwarding || targets.of(type) !== undefined)
    const extra = parseExtraHeaders(flags.header ?? [], ownHeaders)
    const timeoutMs = durationMs(flags.timeout, '--timeout')
    const intervalMs = durationMs(flags.interval, '--interval')
    const since =
      flags.since === undefined || flags.since === 'now' ? flags.since : await this.time(flags.since, '--since')

    const [given] = (await givenSecrets(flags.secret === undefined ? undefined : [flags.secret], this.around)) ?? []
    const secret = isForwarding || flags['print-secret'] ? this.#secret(given) : ''
    if (flags['print-secret']) return this.#print(secret)
    const client = await this.client()
    const printer = this.printer()
    chooseColumns(printer.style, isForwarding ? resultColumns.forwardedEvent : resourceColumns.event)
    const { postWebhook: post } = await import('../../src/client/post.js')
    const masked = (text: string) => maskSecrets(this.masked(text), [secret])
    const report = await Report.begin({ printer, note: (text) => this.note(text), masked, isForwarding })
    const forwarder = new Forwarder({
      post,
      headersOf: (letter) => ({ ...extra, ...signedHeaders(letter, secret) }),
      retries: flags.retry,
      timeoutMs,
      machine: systemClock,
      onFailure: (failure) => report.failure(failure),
    })
    const code = await runListenSession({
      client,
      renew: () => this.#renewed(),
      settings: this.settings,
      around: this.around,
      machine: systemClock,
      report,
      targets,
      forwarder,
      isMeant,
      events: listFlag(flags.event) ?? ['*'],
      since,
      intervalMs,
      concurrency: flags.concurrency,
      maxEvents: flags.limit ?? Infinity,
      program: this.#program && { words: this.#program, secret },
      signed: this.#signed(flags.secret, given),
    })
    this.exitWith(code)
  }

  /** Reads the profile again. Undefined unless it holds another key for the same address. */
  async #renewed() {
    const sources = { flags: this.flagsGiven, env: this.around.env, profiles: this.profiles() }
    const settings = resolveSettings(sources)
    return hasNewKey(this.settings, settings) ? { client: await this.client({ settings }), settings } : undefined
  }

  #checkWords({ exec = false }: { exec?: boolean }, words: readonly string[]): void {
    const [word] = words
    if (word !== undefined) {
      const hint = exec ? `Put the command after --: --exec -- ${word}` : `Is it --forward-to ${word}?`
      throw new UsageError(`svc webhooks listen does not take the argument ${word}.`, hint)
    }
    if (exec === (this.#program !== undefined && this.#program.length > 0)) return
    throw new UsageError(
      exec ? '--exec says no program.' : 'The command after -- runs only with --exec.',
      'It reads like --exec -- node server.js.',
    )
  }

  /** The secret given for this run, else the profile's. */
  #secret(given: string | undefined): string {
    if (given === '') throw new UsageError('--secret is empty.', 'Leave it out for the one of the profile.')
    const secret = given ?? loadListenSecret(this.settings, this.profiles())
    if (secret === undefined) throw new NoKeyError(this.settings.withheld)
    if (!isUsableSecret(secret)) throw shortSecret(secretLengthMin)
    return secret
  }

  /** Describes the secret that events are signed with. */
  #signed(flag: string | undefined, given: string | undefined): string {
    if (flag !== undefined) return 'with the secret of --secret'
    return given === undefined
      ? 'with the secret that svc webhooks listen --print-secret shows'
      : 'with the secret of SVC_WEBHOOK_SECRET'
  }

  async #print(secret: string): Promise<void> {
    const printer = this.printer()
    const { format } = printer.style
    if (format === 'json' || format === 'ndjson') await printer.json({ data: { secret } })
    else await printer.text(secret)
  }
}

/** The headers of one attempt, signed now (rule W2). */
function signedHeaders({ body, ...delivered }: SignedEvent, secret: string): Record<string, string> {
  const signature = sign({ body, secrets: [secret], at: Math.floor(systemClock.now() / 1000) })
  return { ...deliveryHeaders(delivered), [webhookHeaders.signature]: signature }
}
