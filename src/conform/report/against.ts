/** Sends the requests of a run to a fresh simulator as well, and compares the replies. */
import type { Campaign } from '../../contract/campaigns.js'
import type { WorldFileInput } from '../../contract/control/world-file.js'
import { permissions } from '../../contract/permissions.js'
import { parseJson } from '../../client/json.js'
import { compareRuns, ExchangeLog } from './compare.js'
import { groups } from '../groups.js'
import { isObject } from '../requests/reply.js'
import type { Recorded } from '../requests/recorded.js'
import type { Difference } from './result.js'
import { runConformance, type ConformanceOptions } from '../run.js'

/** What this needs of a started simulator. */
export interface ReferenceSimulator {
  baseUrl: string
  describe(): { keys: { key_id: string; secret: string; mode: 'live' | 'test' }[] }
  close(): Promise<void>
}

export interface ReferenceOptions {
  world: WorldFileInput
  limits: boolean
  allowLocalWebhooks: boolean
}

/**
 * Repeats the run of `log` on a simulator with the same campaigns and permissions. Rate limits are left out: they are
 * compared by the checks of the rules L1 to L4.
 */
export async function compareWithSimulator(
  log: ExchangeLog,
  options: ConformanceOptions,
  start: (options: ReferenceOptions) => Promise<ReferenceSimulator>,
): Promise<Difference[]> {
  const facts = factsOf(log)
  const campaigns = facts.campaigns.map(({ object: _object, livemode: _livemode, ...campaign }) => campaign)
  const mode = options.live === true ? 'live' : 'test'
  const key = {
    mode,
    permissions: facts.permissions,
    campaign_ids: facts.isLimited ? campaigns.map(({ id }) => id) : null,
  } as const
  const world = { organizations: [{ name: 'Reference', ...(campaigns.length > 0 && { campaigns }), keys: [key] }] }
  const simulator = await start({ world, limits: false, allowLocalWebhooks: facts.allowsLocal })
  try {
    const own = new ExchangeLog()
    const [made] = simulator.describe().keys
    if (!made) throw new Error('the reference simulator has no key')
    await runConformance({
      ...options,
      baseUrl: simulator.baseUrl,
      key: { id: made.key_id, secret: made.secret },
      groups: (options.groups ?? groups).filter((group) => group !== 'limits'),
      requestsPerMinute: null,
      listen: undefined,
      onCheck: () => {},
      onWait: () => {},
      onExchange: (check, exchange) => own.add(check, exchange),
    })
    return compareRuns(log, own)
  } finally {
    await simulator.close()
  }
}

/** What the exchanges show of the deployment. */
function factsOf(log: ExchangeLog) {
  const exchanges = log.checks.flatMap((check) => [...log.of(check)])
  const refusals = exchanges.filter(({ status }) => status === 403).map(({ response }) => errorOf(response.text))
  const lacked = new Set(refusals.map((error) => error['missing_permission']))
  return {
    campaigns: campaignsOf(exchanges),
    permissions: permissions.filter((permission) => !lacked.has(permission)),
    isLimited: refusals.some((error) => error['code'] === 'permission_denied' && error['campaign_id'] === null),
    allowsLocal: exchanges.some(isLocalEndpoint),
  }
}

function errorOf(text: string): Record<string, unknown> {
  const body = parseJson(text)
  return isObject(body) && isObject(body['error']) ? body['error'] : {}
}

function campaignsOf(exchanges: readonly Recorded[]): Campaign[] {
  const found = exchanges.find(({ path, status }) => status === 200 && path === '/campaigns?limit=100')
  const body = parseJson(found?.response.text ?? '')
  // The simulator lists the newest first as well, so the oldest is made first.
  return isObject(body) && Array.isArray(body['data']) ? (body['data'] as Campaign[]).toReversed() : []
}

const isLocalEndpoint = ({ method, path, status, request }: Recorded): boolean =>
  method === 'POST' &&
  path === '/webhook_endpoints' &&
  status === 201 &&
  /http:\/\/127\.0\.0\.1/.test(String(request.body))
