import * as Flags from '@oclif/core/flags'
import { describeFault, describeFaultsRemoved } from '../../src/cli/results/simulator.js'
import { controlFlags, SimulatorCommand } from '../../src/cli/simulator/simulator-command.js'
import type { Parsed } from '../../src/cli/base/command.js'
import { durationMs } from '../../src/cli/base/flags.js'
import { onePage } from '../../src/cli/base/pages.js'
import type { Client } from '../../src/client/client.js'
import type { Control } from '../../src/contract/control.js'
import type { ErrorCode } from '../../src/contract/errors/error-codes.js'
import { UsageError } from '../../src/cli/errors/usage-error.js'
import { controlColumns } from '../../src/output/columns/control.js'

const methods = ['GET', 'POST', 'PATCH', 'DELETE'] as const

/** Flags for API requests only. */
const requestFlags = ['method', 'path', 'latency', 'status', 'code', 'after-commit'] as const
/** Flags for webhooks only. */
const webhookFlags = ['endpoint', 'event', 'duplicate', 'delay', 'reorder', 'corrupt-signature', 'stale'] as const

export default class SimulateFault extends SimulatorCommand<typeof SimulateFault> {
  static override summary = 'Make the next API requests or webhooks fail'
  static override description =
    'Delays matching requests, answers them with an error, or drops their connection. With --after-commit, does so after the ' +
    'change is saved. With --webhooks, duplicates, delays, reorders or drops matching webhooks, or sends a wrong or old ' +
    'signature. --list shows the faults that wait. --remove removes one of them, --clear all; the webhooks they hold back are sent.'
  static override examples = [
    '<%= config.bin %> simulate fault --method POST --path "/leads/**" --status 503',
    '<%= config.bin %> simulate fault --path /leads --drop --after-commit',
    '<%= config.bin %> simulate fault --latency 2s --count 5',
    '<%= config.bin %> simulate fault --webhooks --duplicate 2 --event "call.*"',
    '<%= config.bin %> simulate fault --webhooks --delay 5m --count 3',
    '<%= config.bin %> simulate fault --list',
    '<%= config.bin %> simulate fault --remove <id>',
    '<%= config.bin %> simulate fault --clear',
  ]
  static override flags = {
    method: Flags.option({ options: methods, summary: 'Method to match' })(),
    path: Flags.string({
      summary: 'Path to match, below the base address; * matches one segment, ** any number',
      helpValue: '<glob>',
    }),
    count: Flags.integer({ summary: 'Number of requests or webhook attempts to affect', min: 1, default: 1 }),
    latency: Flags.string({ summary: 'Delay before the answer', helpValue: '<2s>' }),
    status: Flags.integer({ summary: 'Status of the answer', helpValue: '<503>', min: 400, max: 599 }),
    code: Flags.string({ summary: 'Error code of the answer', helpValue: '<code>' }),
    drop: Flags.boolean({ summary: 'Drop the connection instead of answering; with --webhooks, drop the webhook' }),
    'after-commit': Flags.boolean({ summary: 'Apply the fault after the change is saved' }),
    webhooks: Flags.boolean({ summary: 'Affect webhooks instead of API requests' }),
    endpoint: Flags.string({ summary: 'Webhook endpoint to match: its id or address', helpValue: '<endpoint>' }),
    event: Flags.string({ summary: 'Event type or glob to match, such as call.*', helpValue: '<glob>' }),
    duplicate: Flags.integer({ summary: 'Number of extra copies to send', helpValue: '<n>', min: 1, max: 10 }),
    delay: Flags.string({ summary: 'Simulated time to hold the webhook back', helpValue: '<5m>' }),
    reorder: Flags.boolean({
      summary: 'Send the webhook after the next one to its endpoint, or after one simulated minute',
    }),
    'corrupt-signature': Flags.boolean({ summary: 'Send a signature that does not match' }),
    stale: Flags.string({ summary: 'Age of the signature', helpValue: '<10m>' }),
    list: Flags.boolean({ summary: 'Show the faults that have not affected all their requests or webhooks' }),
    clear: Flags.boolean({ summary: 'Remove all faults and send the webhooks they hold back' }),
    remove: Flags.string({ summary: 'Fault to remove', helpValue: '<id>' }),
    ...controlFlags,
  }

  protected async perform({ flags }: Parsed<typeof SimulateFault>): Promise<void> {
    const { clear, list, webhooks } = flags
    const added = webhooks ? controlColumns.webhookFault : controlColumns.fault
    this.expectColumns(list ? controlColumns.waitingFault : clear ? controlColumns.removed : added)
    checkFlags(flags)
    const endpoint = await this.endpointId(flags.endpoint)
    const control = await this.control(flags['control-token'])
    if (flags.remove !== undefined) return this.#remove(control, flags.remove)
    if (list) {
      const { body } = await control.call('listFaults', {})
      return this.printList(onePage(body), controlColumns.waitingFault)
    }
    if (clear) {
      const { body } = await control.call('removeFaults', {})
      await this.printer().record(body, controlColumns.removed)
      return this.say(describeFaultsRemoved(body.data.removed))
    }
    const { body } = await control.call('addFault', {
      body: webhooks ? webhookFault({ ...flags, endpoint }) : requestFault(flags),
    })
    await this.printer().record(body, added)
    this.say(`${describeFault(body.data)}\nRemove all faults: svc simulate fault --clear`)
  }

  async #remove(control: Client<Control>, id: string): Promise<void> {
    const { body } = await control.call('removeFault', { params: { id } })
    await this.printer().record(body, body.data.to === 'webhooks' ? controlColumns.webhookFault : controlColumns.fault)
  }
}

type FaultFlags = Parsed<typeof SimulateFault>['flags']

function checkFlags(flags: FaultFlags): void {
  const { clear, list, remove, webhooks, drop, latency, status, code } = flags
  const isGiven = (name: keyof FaultFlags) => flags[name] !== undefined && flags[name] !== false
  const misplaced = (webhooks ? requestFlags : webhookFlags).find(isGiven)
  if (misplaced !== undefined && webhooks) throw new UsageError(`--${misplaced} does not apply to webhooks.`)
  if (misplaced !== undefined) throw new UsageError(`--${misplaced} applies to webhooks only.`, 'Add --webhooks.')
  const webhookFaults = (['duplicate', 'delay', 'reorder', 'drop', 'corrupt-signature', 'stale'] as const).filter(
    isGiven,
  )
  const goesWrong = webhooks
    ? webhookFaults.length > 0
    : latency !== undefined || status !== undefined || code !== undefined || drop
  const others = [
    ...(clear ? ['--clear'] : []),
    ...(remove === undefined ? [] : ['--remove']),
    ...(list ? ['--list'] : []),
  ]
  const [other] = others
  if (others.length > 1) throw new UsageError(`Give ${others.join(' or ')}, not both.`)
  if (other !== undefined && (goesWrong || webhooks)) throw new UsageError(`Give a fault or ${other}, not both.`)
  if (other !== undefined) return
  if (webhooks && webhookFaults.length !== 1)
    throw new UsageError(
      'Give exactly one fault with --webhooks.',
      'One of --duplicate, --delay, --reorder, --drop, --corrupt-signature and --stale.',
    )
  if (!goesWrong)
    throw new UsageError('Which fault?', 'Give --latency, --status, --code or --drop, or --list, --remove or --clear.')
}

const requestFault = ({
  method,
  path,
  count,
  latency,
  status,
  code,
  drop,
  'after-commit': afterCommit,
}: FaultFlags) => ({
  method,
  path,
  count,
  latency_ms: latency === undefined ? undefined : durationMs(latency, '--latency'),
  status,
  // Any text: the simulator checks the code.
  code: code as ErrorCode | undefined,
  drop: drop || undefined,
  after_commit: afterCommit || undefined,
})

const webhookFault = (flags: FaultFlags) => ({
  to: 'webhooks' as const,
  endpoint_id: flags.endpoint,
  event: flags.event,
  count: flags.count,
  duplicate: flags.duplicate,
  delay: flags.delay,
  reorder: flags.reorder || undefined,
  drop: flags.drop || undefined,
  corrupt_signature: flags['corrupt-signature'] || undefined,
  stale: flags.stale,
})
