import { once } from 'node:events'
import * as Flags from '@oclif/core/flags'
import { SvcCommand, type Parsed } from '../src/cli/base/command.js'
import { exitCodeOfSignal, waitForInterrupt } from '../src/cli/base/interruption.js'
import { UsageError } from '../src/cli/errors/usage-error.js'
import { baseAddress } from '../src/config/address.js'
import { chooseColumns } from '../src/output/columns/columns.js'
import { resultColumns } from '../src/output/columns/results.js'
import { isPrivateRoute } from '../src/url.js'

const usualPort = 4020

export default class Proxy extends SvcCommand<typeof Proxy> {
  static override summary = 'Check the traffic between your program and a deployment'
  static override description =
    'Listens on this machine, passes every request to the deployment and every reply back unchanged, and reports each ' +
    'request and each reply that departs from the contract, with the number of the rule. Needs no key: your program sends ' +
    'its own. Secrets, phone numbers and e-mail addresses are masked. Prints one line for each exchange at a terminal, one ' +
    'JSON object in a pipe. Runs until Ctrl-C, then prints the totals.'
  static override examples = [
    '<%= config.bin %> proxy',
    '<%= config.bin %> proxy --to https://staging.example.com/api/v1/external --strict',
    "<%= config.bin %> proxy | jq 'select(.departures != [])'",
    '<%= config.bin %> proxy --port 0 --json',
  ]
  static override flags = {
    to: Flags.string({ summary: 'Base address of the deployment; that of the profile by default', helpValue: '<url>' }),
    port: Flags.integer({
      summary: 'Port to listen on; 0 for any free port',
      default: usualPort,
      min: 0,
      max: 65_535,
    }),
    strict: Flags.boolean({ summary: 'Answer 502 invalid_response instead of a reply that departs' }),
    'no-limits': Flags.boolean({ summary: 'Expect no RateLimit headers, as of svc simulate --no-limits' }),
  }

  protected async perform({ flags }: Parsed<typeof Proxy>): Promise<void> {
    const to = flags.to === undefined ? new URL(this.settings.baseUrl.value) : baseAddress(flags.to, '--to')
    if (!isPrivateRoute(to)) {
      throw new UsageError(
        `Keys would go over plain http: to ${to.host}, where others can read them.`,
        'Use an https: address; http: is for this machine only.',
      )
    }
    const printer = this.printer(this.around.stdout.isTTY ? 'table' : 'ndjson')
    chooseColumns(printer.style, resultColumns.exchange)
    const [{ Proxy: CheckingProxy }, { Report, describeTotals }] = await Promise.all([
      import('../src/conform/proxy/proxy.js'),
      import('../src/conform/proxy/report.js'),
    ])
    const report = await Report.begin(printer)
    const refused = new Set<string>()
    const { port } = flags
    const strict = Boolean(flags.strict)
    const isLimited = !flags['no-limits']
    const onRefused = (reason: string) => {
      if (refused.size < refused.add(reason).size) this.note(`A request was refused: ${reason}\n`)
    }
    const proxy = await CheckingProxy.start({
      ...{ to, port, strict, isLimited, onRefused },
      onExchange: (record) => report.exchange(record),
    }).catch((error: unknown) => {
      throw inWords(error, port)
    })
    try {
      const interrupted = waitForInterrupt()
      const ending = once(interrupted, 'abort')
      const { json, output } = this.flagsGiven
      const isJsonAsked = json || output === 'json' || output === 'ndjson'
      if (isJsonAsked) {
        const { url, baseUrl } = proxy
        await printer.jsonLines([{ ready: true, url, base_url: baseUrl, to: to.href, strict, pid: process.pid }])
      } else this.note(describeReady(proxy.baseUrl, to.href))
      await ending
      await report.written()
      if (isJsonAsked) await printer.jsonLines([{ stopped: true, ...report.totals }])
      else this.note(`\nStopped. ${describeTotals(report.totals)}\n`)
      this.exitWith(exitCodeOfSignal(interrupted))
    } finally {
      await proxy.close()
    }
  }
}

const describeReady = (baseUrl: string, to: string): string =>
  [
    `The proxy is ready: ${baseUrl}`,
    `It passes requests to ${to} and checks every exchange.`,
    'Set the base address of your program to the first. Ctrl-C stops it.',
    '',
    '',
  ].join('\n')

function inWords(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} is taken. Choose another with --port, or any with --port 0.`)
  if (code === 'EACCES') return new Error(`Port ${port} is not yours to listen on. Choose one above 1023 with --port.`)
  return error
}
