/** Runs the doctor checks in order: address, clock difference, key and permissions. */
import type { Client, Contract } from '../../client/client.js'
import { ApiError, ConnectionError, NotTheApiError } from '../../client/errors.js'
import type { SystemClock } from '../../client/system-clock.js'
import type { Settings } from '../../config/settings.js'
import { exitCodeOf, exitCodes } from '../errors/exit-codes.js'

export interface CheckResult {
  check: string
  result: 'ok' | 'warning' | 'problem'
  detail: string
  /** How to fix it; null if there is nothing to fix. */
  advice: string | null
}

export interface CheckTarget {
  settings: Settings
  client: Client<Contract>
  machine: SystemClock
  /** Sends a request without a key and returns the response headers. */
  knock: () => Promise<Readonly<Record<string, string>>>
}

/** One read request for each read permission. */
const reads: readonly (readonly [permission: string, read: (client: Client<Contract>) => Promise<unknown>])[] = [
  ['leads:read', (client) => client.call('listLeads', { query: { limit: 1 } })],
  ['calls:read', (client) => client.call('listCalls', { query: { limit: 1 } })],
  ['campaigns:read', (client) => client.call('listCampaigns', { query: { limit: 1 } })],
  ['dnc:read', (client) => client.call('listDnc', { query: { limit: 1 } })],
  ['usage:read', (client) => client.call('getUsage', {})],
  ['webhooks:read', (client) => client.call('listWebhookEndpoints', {})],
]

/** Maximum clock difference for webhook signatures (rule W5). */
const toleranceSeconds = 300
const noticedSeconds = 30

/** Stops at the first problem, because later checks would fail for the same reason. */
export async function* runDoctorChecks({
  settings,
  client,
  machine,
  knock,
}: CheckTarget): AsyncGenerator<CheckResult & { exitCode: number }> {
  const { profile, baseUrl, secret, withheld, mode } = settings
  yield passedCheck('profile', profile ? `${profile.value} (${profile.source})` : 'none is in use')
  const headers = await knock().catch((error: unknown) => error)
  if (headers instanceof Error) {
    yield describeUnreachable(headers)
    return
  }
  yield passedCheck('address', `${baseUrl.value} answers (${baseUrl.source})`)
  yield checkClocks(headers as Readonly<Record<string, string>>, machine.now())
  if (!secret) {
    const advice = 'svc login saves one; svc simulate makes one for the simulator.'
    yield failedCheck('key', withheld ?? 'there is none', advice, exitCodes.notAllowed)
    return
  }
  let known = false
  for (const [permission, read] of reads) {
    const refused = await read(client).then(
      () => undefined,
      (error: unknown) => error as Error,
    )
    const mayNot = refused instanceof ApiError && refused.refusal.code === 'permission_denied'
    if (refused && !mayNot) {
      yield keyRefused(refused)
      return
    }
    if (!known) yield passedCheck('key', `${mode ?? 'of an unknown mode'} (${secret.source})`)
    known = true
    yield mayNot
      ? warnedCheck(permission, 'not permitted', 'An administrator of the organization can permit it.')
      : passedCheck(permission, 'permitted')
  }
}

function checkClocks(headers: Readonly<Record<string, string>>, now: number): CheckResult & { exitCode: number } {
  const theirs = Date.parse(headers['date'] ?? '')
  if (Number.isNaN(theirs)) return warnedCheck('clock', 'the service does not say what time it is', null)
  const seconds = Math.round((now - theirs) / 1000)
  const detail =
    Math.abs(seconds) <= 1
      ? 'the same as the service'
      : `${Math.abs(seconds)} s ${seconds < 0 ? 'behind' : 'ahead of'} the service`
  const advice = `Set the clock of this machine: webhooks more than ${toleranceSeconds} s off are refused.`
  if (Math.abs(seconds) > toleranceSeconds) return failedCheck('clock', detail, advice, exitCodes.failed)
  return Math.abs(seconds) > noticedSeconds ? warnedCheck('clock', detail, advice) : passedCheck('clock', detail)
}

function describeUnreachable(error: Error) {
  const advice =
    error instanceof ConnectionError
      ? 'Is it running? svc simulate starts the simulator; svc whoami shows the address and where it came from.'
      : 'Is this the address of the API? It ends in /api/v1/external.'
  return failedCheck('address', error.message, advice, exitCodeOf(error))
}

function keyRefused(error: Error) {
  if (error instanceof ConnectionError || error instanceof NotTheApiError) return describeUnreachable(error)
  const { reason } = error instanceof ApiError ? error.refusal : { reason: undefined }
  const detail = reason ? `${error.message} (${reason})` : error.message
  return failedCheck(
    'key',
    detail,
    'svc whoami shows which key is used and where it came from; svc login saves another.',
    exitCodeOf(error),
  )
}

const passedCheck = (check: string, detail: string) => ({
  check,
  result: 'ok' as const,
  detail,
  advice: null,
  exitCode: exitCodes.done,
})

const warnedCheck = (check: string, detail: string, advice: string | null) => ({
  check,
  result: 'warning' as const,
  detail,
  advice,
  exitCode: exitCodes.done,
})

const failedCheck = (check: string, detail: string, advice: string, exitCode: number) => ({
  check,
  result: 'problem' as const,
  detail,
  advice,
  exitCode,
})
