/** Reads the whole world through the API with every key and compares it with the model. */
import type { Call } from '../../src/contract/calls.js'
import type { DncEntry } from '../../src/contract/dnc.js'
import type { Event } from '../../src/contract/events.js'
import type { Lead } from '../../src/contract/leads.js'
import { leadStatuses } from '../../src/contract/enums.js'
import { minuteMs } from './model/hours.js'
import { checkAgenda } from './agenda-check.js'
import { checkExplanation } from './explanation-check.js'
import { campaignOf, leadOf, type Mirror } from './model/mirror.js'
import { must } from './model/rule.js'
import type { OwnKey, Run } from './run.js'
import { checkLead } from './standing-check.js'
import { checkUsage } from './usage-check.js'

const dayMs = 24 * 60 * minuteMs

/** The expected items of a list, newest first. */
const expected = <T extends { tenant: string; campaign: string; id: string }>(
  all: ReadonlyMap<string, T>,
  key: OwnKey,
): string[] =>
  [...all.values()]
    .filter(({ tenant, campaign }) => tenant === key.tenant && key.covers.has(campaign))
    .map(({ id }) => id)
    .reverse()

function same(
  found: readonly { id: string }[],
  wanted: readonly string[],
  what: string,
  { name, campaign_ids }: OwnKey,
): void {
  const ids = found.map(({ id }) => id)
  const more = ids.filter((id) => !wanted.includes(id))
  const less = wanted.filter((id) => !ids.includes(id))
  must(ids.join() === wanted.join(), `a key lists exactly its own ${what}, newest first`, {
    name,
    campaign_ids,
    more,
    less,
  })
}

function checkCall({ calls }: Mirror, call: Call): void {
  const seen = calls.get(call.id)
  must(seen !== undefined, 'every call was seen', call)
  const told = [call.status, call.outcome, call.direction, call.lead?.id, Date.parse(call.started), call.note]
  const known = [seen.status, seen.outcome, seen.direction, seen.lead ?? undefined, seen.started, seen.note]
  must(told.join() === known.join(), 'a call is as it was seen', { call, seen })
  const seconds =
    seen.ended === null ? null : seen.answered === null ? 0 : Math.round((seen.ended - seen.answered) / 1000)
  must(call.duration_seconds === seconds, 'a call lasts from its answer to its end', { call, seen })
}

async function checkKey(run: Run, key: OwnKey): Promise<void> {
  const { mirror } = run
  const client = run.stage.simulation.as(key)
  const leads = await client.all<Lead>('/leads')
  same(leads, expected(mirror.leads, key), 'leads', key)
  for (const status of leadStatuses) {
    const wanted = leads.filter((lead) => lead.status === status).map(({ id }) => id)
    same(await client.all<Lead>(`/leads?status=${status}`, 'starting_after', 7), wanted, `${status} leads`, key)
  }
  const calls = await client.all<Call>('/calls')
  same(calls, expected(mirror.calls, key), 'calls', key)
  if (key.campaign_ids !== null) return
  for (const call of calls) checkCall(mirror, call)
  for (const lead of leads) {
    checkLead(mirror, leadOf(mirror, lead.id), lead)
    await checkExplanation(run, lead)
  }
  const listed = (await client.all<DncEntry>('/dnc', 'cursor')).map(({ phone }) => phone)
  const known = mirror.dnc.get(key.tenant) ?? new Set()
  // An opt-out on a call without a lead lists the number and sends no event.
  for (const phone of listed) if (!known.has(phone)) learn(mirror, key.tenant, phone)
  must([...known].sort().join() === listed.sort().join(), 'the list holds what was put on it', { known, listed })
}

function learn(mirror: Mirror, tenant: string, phone: string): void {
  const calls = [...mirror.calls.values()].filter((call) => call.tenant === tenant && call.phone === phone)
  const leads = [...mirror.leads.values()].filter((lead) => lead.tenant === tenant && lead.phone === phone)
  must(leads.length === 0 && calls.some(({ lead }) => lead === null), 'a number is listed for a reason', {
    phone,
    leads,
  })
  mirror.dnc.get(tenant)?.add(phone)
}

/** Every event is kept unchanged for 30 days (rule E2). */
async function checkEvents(run: Run, key: OwnKey): Promise<void> {
  const listed = await run.stage.simulation.as(key).all<Event>('/events')
  const from = run.now - 30 * dayMs
  const wanted = (run.mirror.events.get(key.tenant) ?? []).filter(
    ({ created, data }) => Date.parse(created) >= from && key.covers.has(data.object.campaign_id ?? ''),
  )
  same(listed, wanted.map(({ id }) => id).reverse(), 'events', key)
  const text = (events: readonly Event[]) => JSON.stringify(events)
  must(text(listed) === text([...wanted].reverse()), 'events stay as they were', { key: key.name })
}

/** An object is visible to the keys that may see it, and to no other key (rules K2, K4 and K6). */
async function checkReach(run: Run, n: number): Promise<void> {
  const leads = [...run.mirror.leads.values()]
  const lead = leads[n % Math.max(1, leads.length)]
  const call = lead?.calls.at(-1)
  for (const key of run.keys) {
    const client = run.stage.simulation.as(key)
    const sees = lead !== undefined && lead.tenant === key.tenant && key.covers.has(lead.campaign)
    const status = sees ? 200 : 404
    if (lead)
      must((await client.get(`/leads/${lead.id}`)).status === status, 'a lead is seen by its own', { key: key.name })
    if (call !== undefined)
      must((await client.get(`/calls/${call}`)).status === status, 'a call is seen by its own', { key: key.name })
  }
}

function checkCampaigns({ mirror }: Run, found: readonly { id: string; spent_usd: number; status: string }[]): void {
  for (const { id, spent_usd, status } of found) {
    const seen = campaignOf(mirror, id)
    must(Math.abs(spent_usd - seen.spent_usd) < 1e-6, 'a campaign has spent what its calls cost', { spent_usd, seen })
    must(status === seen.status, 'a campaign is as it was set', { status, seen })
  }
}

/** With `whole`, also checks events and usage, which take longer to read. */
export async function checkpoint(run: Run, { whole }: { whole: boolean }): Promise<void> {
  for (const key of run.keys) {
    if (!whole && key.campaign_ids !== null) continue
    await checkKey(run, key)
    if (whole) await checkEvents(run, key)
    if (whole && key.campaign_ids === null) await checkUsage(run, key)
  }
  await checkReach(run, run.tape.length)
  for (const { campaigns } of await run.stage.organizations()) checkCampaigns(run, campaigns)
  await checkAgenda(run)
}
