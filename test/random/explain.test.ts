/**
 * Explanations against the dialer, on random leads of a world without a telephone network: what the explanation says
 * just before a lead's turn is what the dialer then does. `LEADS=100000` checks more.
 */
import { expect, it } from 'vitest'
import type { Explanation } from '../../src/contract/control/explain.js'
import { explain } from '../../src/dialing/explain.js'
import { ruleOfReason } from '../../src/dialing/eligibility.js'
import { NewLeadAdmission } from '../../simulator/dialing/admission-request.js'
import { dialFreeLines } from '../../simulator/dialing/dialer.js'
import { explainFactsOf } from '../../simulator/dialing/explained-lead.js'
import { moveLead } from '../../simulator/dialing/lead-transitions.js'
import { addLead } from '../../simulator/dialing/leads.js'
import { instant } from '../../simulator/kernel/instant.js'
import { RandomStream } from '../../simulator/kernel/random.js'
import type { Campaign, CampaignStatus } from '../../simulator/model/campaign.js'
import { scheduledReason, type Lead } from '../../simulator/model/lead.js'
import { World, type Carrier, type Tenant } from '../../simulator/model/world.js'
import { seedWorld } from '../../simulator/setup/reset.js'
import { inMemory, Store } from '../../simulator/storage/store.js'

const leads = Number(process.env['LEADS'] ?? 3_000)
const silent: Carrier = {
  startCall: () => undefined,
  eventAt: () => ({ what: 'interested' }),
  playStep: () => ({ what: 'interested' }),
  transcript: () => [],
}
const start = Date.UTC(2026, 9, 28)
const minuteMs = 60_000
const dayMs = 1440 * minuteMs
const areaCodes = ['212', '312', '808', '310', '602', '907', '850', '888', '709', '416']
const statuses: Readonly<Record<CampaignStatus, number>> = { running: 12, paused: 1, not_started: 1, completed: 0 }

function randomHours(random: RandomStream): Campaign['calling_hours'] {
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
  const open = days.filter(() => random.fraction() < 0.6)
  return Object.fromEntries(
    open.map((day) => {
      const hour = random.whole(0, 22)
      const time = (one: number) => `${String(one).padStart(2, '0')}:00`
      return [day, [[time(hour), time(random.whole(hour + 1, 24))]]]
    }),
  )
}

function randomCampaigns(world: World, tenant: Tenant, random: RandomStream): Campaign[] {
  const [usual] = world.campaigns.listByOrganization(tenant.organizationNumber)
  if (!usual) throw new Error('the usual world has no campaign')
  const { n: _n, ...settings } = usual
  return Array.from({ length: 30 }, (_, n) =>
    world.campaigns.add({
      ...settings,
      id: `campaign-${n}`,
      lines: 1_000_000,
      status: random.weighted(statuses),
      any_hour: random.fraction() < 0.1,
      ...(random.fraction() < 0.7 && { calling_hours: randomHours(random) }),
      spend_cap_usd: random.fraction() < 0.1 ? 0 : null,
    }),
  )
}

/** A new lead that is next in the line of its campaign, whether it may be called or not. */
function randomLead(tenant: Tenant, campaign: Campaign, phone: string, random: RandomStream): Lead {
  const { world, numbers } = tenant
  const { lines } = campaign
  world.campaigns.change(campaign, { lines: 0 })
  const lead = addLead(tenant, campaign, new NewLeadAdmission(tenant, null, campaign, { phone }))
  world.campaigns.change(campaign, { lines })
  const retry = random.fraction() < 0.5
  const own = {
    not_before: instant(world.now + random.whole(-1_000, 4_000) * minuteMs),
    not_before_reason: retry ? ('retry_after_outcome' as const) : ('next_dial_time' as const),
  }
  moveLead(tenant, lead, 'queued', random.fraction() < 0.3 ? own : {}, { attempts: random.whole(0, 6) })
  if (random.fraction() < 0.03) numbers.recordFailure(campaign.n, phone, 1)
  if (random.fraction() < 0.03 && !tenant.dnc.has(phone)) tenant.dnc.add(phone, 'manual', world.now)
  return lead
}

/** What became of the lead, in the form of an explanation. */
function outcomeOf(tenant: Tenant, lead: Lead): Pick<Explanation, 'decides' | 'next_call_at'> {
  const reason = scheduledReason(lead)
  if (lead.status === 'dialing') return { decides: null, next_call_at: new Date(tenant.world.now).toISOString() }
  if (reason !== null) {
    const next_call_at = lead.scheduled_for === null ? null : new Date(lead.scheduled_for).toISOString()
    return { decides: ruleOfReason[reason], next_call_at }
  }
  const ends = { held: 'campaign', out_of_queue: 'dnc', done: 'retired_number' } as const
  return { decides: ends[lead.status as 'held'], next_call_at: null }
}

it(`explanations: agree with the dialer on ${leads} random leads`, { timeout: 0 }, () => {
  const random = new RandomStream(Number(process.env['SEED'] ?? 1), 'explained leads')
  const store = Store.open(inMemory)
  const counts: Record<string, number> = {}
  try {
    const world = new World(store, silent)
    const now = instant(start)
    seedWorld(world, { seed: 1, now, speed: 1, secretsFollowSeed: false, paused: true }, now)
    const tenant = world.tenant(2)
    const campaigns = randomCampaigns(world, tenant, random)
    for (let n = 0; n < leads; n++) {
      // Calls of one number by several campaigns within a day bring cooldowns.
      world.now = instant(world.now + random.whole(0, 40) * 1_000)
      if (n % 1_000 === 0) world.now = instant(world.now + random.whole(0, 3) * dayMs)
      const phone = `+1${random.pick(areaCodes)}${random.whole(2_000_000, 2_000_000 + leads / 30)}`
      const campaign = random.pick(campaigns)
      const lead = randomLead(tenant, campaign, phone, random)
      const before = explain(explainFactsOf(tenant, lead))
      dialFreeLines(tenant, campaign.n)
      const found = { decides: before.decides, next_call_at: before.next_call_at }
      expect(found, `${phone}, lead ${n}`).toEqual(outcomeOf(tenant, lead))
      const after = explain(explainFactsOf(tenant, lead))
      if (lead.status !== 'dialing')
        expect({ decides: after.decides, next_call_at: after.next_call_at }, `${phone}, lead ${n}, afterwards`).toEqual(
          found,
        )
      const key = lead.status === 'dialing' ? 'called' : String(found.decides)
      counts[key] = (counts[key] ?? 0) + 1
    }
  } finally {
    store.close()
  }
  const rules = [
    'called',
    'calling_hours',
    'cooldown',
    'attempts',
    'next_dial_time',
    'campaign',
    'dnc',
    'retired_number',
  ]
  expect(Object.keys(counts).sort(), JSON.stringify(counts)).toEqual(rules.sort())
})
