/** A whole simulated world in memory, without endpoints and events: loads the leads once, and runs copies of it. */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import { callingWindowsOf, holdReason } from '../../src/dialing/eligibility.js'
import type {
  LoadedLeads,
  PlannedLead,
  PlanSettings,
  UnreachableReason,
  WorldResult,
  WorldRun,
} from '../../src/plan/planned-world.js'
import { admit } from '../dialing/admission.js'
import { NewLeadAdmission } from '../dialing/admission-request.js'
import { takeLeadOut } from '../dialing/app-actions.js'
import { changeCampaign } from '../dialing/campaigns.js'
import { dialFreeLines } from '../dialing/dialer.js'
import { addLead } from '../dialing/leads.js'
import { Clock } from '../kernel/clock.js'
import { endOfTime, instant, type Instant } from '../kernel/instant.js'
import { systemClock } from '../kernel/system-clock.js'
import type { Campaign } from '../model/campaign.js'
import { tenantNumberOf } from '../model/organization.js'
import { World, type Tenant } from '../model/world.js'
import { Engine } from '../runtime/engine.js'
import { createCampaign, createOrganization } from '../setup/factories.js'
import { sql } from '../storage/sql.js'
import { inMemory, Store } from '../storage/store.js'
import { tables } from '../storage/tables.js'
import { plannedNetwork } from './planned-network.js'
import { noSender } from './no-sender.js'
import { RunRecorder } from './run-recorder.js'

const hourMs = 3_600_000
/** Between two looks at whether every lead is finished. */
const longestAdvanceMs = 12 * hourMs

/** Indexes for lists of leads and calls, which a planned world does not need. */
const indexesOfLists = [
  'leads_of_tenant',
  'leads_of_campaign',
  'leads_by_status',
  'leads_by_external_id',
  'calls_of_tenant',
  'calls_of_campaign',
  'calls_by_outcome',
  'calls_going_on',
]

interface Opened {
  world: World
  tenant: Tenant
  campaign: Campaign
  engine: Engine
}

/** Creates the world with its leads, before its first call. */
export function loadPlannedWorld(
  settings: PlanSettings,
  leads: readonly PlannedLead[],
): { image: Buffer; loaded: LoadedLeads } {
  const store = Store.open(inMemory)
  try {
    const world = new World(store, plannedNetwork(settings.mix), { recordsEvents: false })
    const start = instant(settings.start)
    world.now = start
    const loaded = store.transaction(() => {
      world.set('seed', '0')
      world.recordClock({ now: start, offset: 0, speed: 1, paused: true })
      createPlannedCampaign(world, settings)
      const { tenant, campaign } = onlyCampaign(world)
      for (const phone of settings.listed) tenant.dnc.add(phone, 'api', start)
      return addLeads(tenant, campaign, leads)
    })
    for (const index of indexesOfLists) store.run(sql`DROP INDEX ${index}`)
    return { image: store.image(), loaded }
  } finally {
    store.close()
  }
}

/** A campaign without lines: nothing is dialed while leads are loaded. */
function createPlannedCampaign(world: World, { time_zone, rate_usd_per_minute: rate, campaign }: PlanSettings): void {
  const { n } = createOrganization(world, { name: 'Plan', time_zone, rate_usd_per_minute: rate ?? 0 }, [])
  const { calling_hours, ...rest } = campaign
  createCampaign(world, n, {
    name: 'Plan',
    lines: 0,
    consent_required: false,
    ...rest,
    calling_hours: copyHours(calling_hours),
  })
}

const copyHours = (hours: PlanSettings['campaign']['calling_hours']): Campaign['calling_hours'] =>
  JSON.parse(JSON.stringify(hours)) as Campaign['calling_hours']

/** Adds leads as the service does, so that the same ones are refused. Leads that no hour allows are taken out. */
function addLeads(tenant: Tenant, campaign: Campaign, leads: readonly PlannedLead[]): LoadedLeads {
  const unreachable: { at: number; reason: UnreachableReason }[] = []
  let callable = 0
  for (const [at, { phone, external_id, at: arrival }] of leads.entries()) {
    if (arrival !== undefined && arrival > tenant.world.now) continue
    const reason = addOne(tenant, campaign, phone, external_id)
    if (reason === null) callable++
    else unreachable.push({ at, reason })
  }
  return { callable, unreachable }
}

function addOne(tenant: Tenant, campaign: Campaign, phone: string, external_id?: string): UnreachableReason | null {
  try {
    const request = new NewLeadAdmission(tenant, null, campaign, { phone, external_id })
    admit('load', request)
    const lead = addLead(tenant, campaign, request)
    const windows = callingWindowsOf(campaign, lead.zone)
    if (windows?.firstOpen(tenant.world.now) !== null) return null
    takeLeadOut(tenant, lead)
    return 'no_common_hour'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return (error.details.reason ?? error.code) as UnreachableReason
  }
}

/** Runs a copy of the world until every lead is finished, or until the end of the run. */
export async function runPlannedWorld(
  image: Uint8Array,
  { mix }: PlanSettings,
  leads: readonly PlannedLead[],
  run: WorldRun,
): Promise<WorldResult> {
  const store = Store.ofImage(Buffer.from(image), { rollsBack: false })
  try {
    const opened = openWorld(store, mix, run.seed)
    const { world, tenant, engine } = opened
    const arrivals = leads.filter(({ at }) => at !== undefined && at > world.now).sort((a, b) => a.at! - b.at!)
    const recorder = new RunRecorder(world, run.lines, countUnfinished(tenant), run.deadline ?? undefined)
    engine.subscribe(recorder.listen)
    engine.step(() => changeCampaign(world, opened.campaign, { ...changesOf(run), lines: run.lines }))
    await advance(opened, recorder, arrivals, instant(Math.min(run.until, endOfTime)))
    await engine.stop()
    return resultOf(opened, recorder)
  } finally {
    store.close()
  }
}

function changesOf({ changes }: WorldRun): Partial<Campaign> {
  const { calling_hours, ...rest } = changes ?? {}
  return { ...rest, ...(calling_hours && { calling_hours: copyHours(calling_hours) }) }
}

function openWorld(store: Store, mix: PlanSettings['mix'], seed: number): Opened {
  const world = new World(store, plannedNetwork(mix), { recordsEvents: false })
  store.transaction(() => world.set('draw_seed', String(seed)))
  world.refresh()
  const record = world.clockRecord()
  if (!record) throw new Error('the planned world has no clock')
  world.now = record.now
  const clock = new Clock(systemClock, record)
  const fail = (error: unknown) => {
    throw error
  }
  const engine = new Engine({ world, clock, machine: systemClock, sender: noSender, onFailure: fail })
  engine.start()
  return { world, engine, ...onlyCampaign(world) }
}

function onlyCampaign(world: World): { tenant: Tenant; campaign: Campaign } {
  const [organization] = world.organizations.all()
  const [campaign] = organization ? world.campaigns.listByOrganization(organization.n) : []
  if (!organization || !campaign) throw new Error('the planned world has no campaign')
  return { tenant: world.tenant(tenantNumberOf(organization.n, 'live')), campaign }
}

const countUnfinished = ({ world, n: tenant }: Tenant): number =>
  world.store.one<{ n: number }>(
    sql`SELECT count(*) AS n FROM ${tables.leads} WHERE tenant = ? AND status NOT IN ('done', 'out_of_queue')`,
    tenant,
  )?.n ?? 0

/** Advances time in parts, and adds the leads that arrive on the way. */
async function advance(
  { world, tenant, campaign, engine }: Opened,
  recorder: RunRecorder,
  arrivals: readonly PlannedLead[],
  until: Instant,
): Promise<void> {
  let added = 0
  while (world.now < until && (recorder.unfinished > 0 || added < arrivals.length)) {
    const arrival = arrivals[added]?.at ?? Infinity
    const to = instant(Math.min(until, arrival, world.now + longestAdvanceMs))
    await engine.advance(() => to)
    const due: PlannedLead[] = []
    for (; added < arrivals.length && arrivals[added]!.at! <= world.now; added++)
      due.push({ ...arrivals[added]!, at: undefined })
    if (due.length === 0) continue
    engine.step(() => {
      recorder.unfinished += addLeads(tenant, campaign, due).callable
      dialFreeLines(tenant, campaign.n)
    })
  }
}

function resultOf({ world, tenant, campaign }: Opened, recorder: RunRecorder): WorldResult {
  const { finished, unfinished, late, allBusyMs } = recorder
  const {
    calls,
    calls_connected: connected,
    minutes,
  } = tenant.usage.total({ from: instant(0), to: endOfTime, within: null })
  const count = (counted: string, where: string) =>
    world.store.one<{ n: number }>(
      sql`SELECT count(DISTINCT lead) AS n FROM ${tables.calls} WHERE ${counted} AND ${where}`,
    )?.n ?? 0
  return {
    finished: unfinished === 0 ? finished : null,
    unfinished,
    held: unfinished === 0 ? null : holdReason(campaign),
    late,
    reached: count('answered IS NOT NULL', 'machine = 0'),
    interested: count(`outcome = 'interested'`, 'machine = 0'),
    ...{ calls, connected, minutes, allBusyMs },
    lineMs: tenant.queues.of(campaign.n).line_ms,
    hours: hoursOf(tenant),
  }
}

/** The counts of the bill, added up by hour. */
function hoursOf({ usage }: Tenant): WorldResult['hours'] {
  const hours = new Map<number, [number, number, number, number]>()
  for (const { slot, calls, calls_connected, minutes } of usage.bySlot(instant(0), endOfTime)) {
    if (calls === 0) continue
    const hour = Math.floor(slot / hourMs)
    const before = hours.get(hour) ?? [hour, 0, 0, 0]
    hours.set(hour, [hour, before[1] + calls, before[2] + calls_connected, before[3] + minutes])
  }
  return [...hours.values()]
}
