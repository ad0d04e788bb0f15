/** Actions on leads: add, load, call, take out, put back, change. */
import type { Deeds } from './deeds.js'
import type { LeadWords } from './actions.js'
import type { LeadAccepted, LeadBatchResult } from '../../../src/contract/new-leads.js'
import type { Lead } from '../../../src/contract/leads.js'
import { callVerdict, isOnTelephone, verdictOn, type SentLead } from '../model/admission.js'
import { expectListed, expectSeen, expectStanding } from '../model/expectation.js'
import { minuteMs } from '../model/hours.js'
import { isWaiting, leadOf, type SeenLead } from '../model/mirror.js'
import { callable } from '../model/numbers.js'
import { must } from '../model/rule.js'
import { pick, type OwnKey, type Run } from '../run.js'

/** Mostly a campaign of the key; sometimes one outside its scope or of another organization. */
function campaignFor({ mirror }: Run, key: OwnKey, n: number): string {
  const all = [...mirror.campaigns.values()]
  const ours = all.filter(({ organization }) => organization === key.organization)
  const own = ours.filter(({ id }) => key.covers.has(id))
  return pick(n % 13 === 0 ? all : n % 7 === 0 ? ours : own, n)?.id ?? ''
}

/** Mostly a lead of the key's tenant: any lead, one on a call, a waiting one, or one that moved recently. */
export function leadFor({ mirror }: Run, tenant: string | null, n: number): SeenLead | undefined {
  const all = [...mirror.leads.values()]
  const own = n % 17 === 0 || tenant === null ? all : all.filter((lead) => lead.tenant === tenant)
  const busy = own.filter((lead) => isOnTelephone(mirror, lead))
  const waiting = own.filter(({ status }) => isWaiting(status))
  const lately = [...own].sort((a, b) => b.moveTurn - a.moveTurn).slice(0, 5)
  return pick([own, busy, waiting, lately][n % 4] ?? own, Math.floor(n / 4)) ?? pick(own, n)
}

const consent = { source: 'web_form', agreed_at: '2026-01-01T00:00:00Z', text: 'Call me.' }

export const leadSent = ({ phone, call_now, external, consent: agreed }: LeadWords): SentLead => ({
  phone,
  ...(call_now !== undefined && { call_now }),
  ...(external !== undefined && { external_id: `x${external}` }),
  ...(agreed && { consent }),
})

const keyAt = (run: Run, n: number): OwnKey => pick(run.keys, n) as OwnKey

/** Adds a lead, with a dry run before it if `rehearsed`. */
const add: Deeds<'add'>['add'] = (run, { key: k, campaign: c, lead, rehearsed, byPath }) => {
  const key = keyAt(run, k)
  return send(run, key, campaignFor(run, key, c), leadSent(lead), { rehearsed, byPath })
}

const addAgain: Deeds<'addAgain'>['addAgain'] = async (run, { key: k, lead: l, phone, call_now }) => {
  const key = keyAt(run, k)
  const lead = leadFor(run, key.tenant, l)
  if (!lead) return
  const named = lead.external === null || l % 3 === 0 ? {} : { external_id: lead.external }
  const sent = { phone: phone ?? lead.phone, consent, ...named, ...(call_now !== undefined && { call_now }) }
  await send(run, key, lead.campaign, sent, { rehearsed: false, byPath: false })
}

async function send(
  run: Run,
  key: OwnKey,
  campaign: string,
  sent: SentLead,
  { rehearsed, byPath }: { rehearsed: boolean; byPath: boolean },
): Promise<void> {
  const { code, existing } = verdictOn(run.mirror, key, campaign, sent)
  const path = byPath ? `/campaigns/${campaign}/leads` : '/leads'
  const words = byPath ? sent : { campaign_id: campaign, ...sent }
  const rehearsal = rehearsed ? await run.api<LeadAccepted>(key, 'POST', path, { ...words, dry_run: true }) : null
  if (rehearsal) await expectSeen(run)
  run.witness.bringing = { by: 'api', key: key.key_id, sends: true }
  const reply = await run.api<LeadAccepted>(key, 'POST', path, words)
  const about = { code, body: reply.body, sent, campaign: run.mirror.campaigns.get(campaign), existing }
  must((reply.status < 300 ? null : reply.error.code) === code, 'a lead is refused by the first check it fails', about)
  if (reply.status >= 300) {
    await expectSeen(run)
    if (rehearsal) must(rehearsal.error.code === code, dryRun, { rehearsal: rehearsal.body, code })
    return
  }
  const { data } = reply
  const id = data.id ?? ''
  must(reply.status === (existing ? 200 : 201), 'only a new lead is created', about)
  await expectSeen(run, existing ? { arrivals: [existing.id] } : { created: [id] })
  must(id === (existing?.id ?? id), 'a lead comes back under its own id', about)
  expectStanding(run.mirror, id, data)
  const said = rehearsal && { ...rehearsal.data, id, dry_run: false }
  if (said) must(JSON.stringify(said) === JSON.stringify(data), dryRun, { said, data })
}

const dryRun = 'a dry run says what would happen'

const addMany: Deeds<'addMany'>['addMany'] = async (run, { key: k, campaign: c, leads }) => {
  const key = keyAt(run, k)
  const campaign_id = campaignFor(run, key, c)
  run.witness.bringing = { by: 'api', key: key.key_id, sends: true }
  const reply = await run.api<LeadBatchResult>(key, 'POST', '/leads/batch', { campaign_id, leads: leads.map(leadSent) })
  if (reply.status !== 200) {
    await expectSeen(run)
    must(!key.covers.has(campaign_id) && leads.length > 0, 'a batch fails as a whole outside the scope alone', {
      body: reply.body,
    })
    return
  }
  const taken = reply.data.results.flatMap((result) => (result.ok ? [result.lead] : []))
  const ids = (requeued: boolean) =>
    taken.filter((lead) => (lead.requeued === true) === requeued).map(({ id }) => id ?? '')
  await expectSeen(run, { created: ids(false), arrivals: ids(true) })
}

const addCrowd: Deeds<'addCrowd'>['addCrowd'] = async (run, { key: k, campaign: c }) => {
  const campaign = run.mirror.campaigns.get(campaignFor(run, keyAt(run, k), c))
  if (!campaign) return
  const changes = { lines: 30, any_hour: true, consent_required: false }
  await run.control('PATCH', `/_sim/campaigns/${campaign.id}`, changes)
  Object.assign(campaign, changes)
  await expectSeen(run)
  const leads = Array.from({ length: 30 }, (_, n) => ({
    phone: callable[(c + n) % callable.length] ?? '',
    consent: false,
  }))
  await addMany(run, { do: 'addMany', key: k, campaign: c, leads })
}

/** A fault breaks the request before or after the work, and it is sent again under the same Idempotency-Key. */
const addThroughFault: Deeds<'addThroughFault'>['addThroughFault'] = async (
  run,
  { key: k, campaign: c, lead, fault },
) => {
  const key = keyAt(run, k)
  const campaign = campaignFor(run, key, c)
  const sent = leadSent(lead)
  const { code, existing } = verdictOn(run.mirror, key, campaign, sent)
  run.witness.bringing = { by: 'api', key: key.key_id, sends: true }
  await run.control('POST', '/_sim/faults', { method: 'POST', path: '/leads', ...fault })
  const idempotencyKey = `try-${run.tape.length}`
  const again = () => run.api<LeadAccepted>(key, 'POST', '/leads', { campaign_id: campaign, ...sent }, idempotencyKey)
  const first = await again().catch(() => null)
  await run.control('DELETE', '/_sim/faults')
  const second = await again()
  const about = { code, first: first?.body, second: second.body, fault }
  must((second.status < 300 ? null : second.error.code) === code, 'a request that went wrong can be sent again', about)
  const wasDone = fault.latency_ms !== undefined || fault.after_commit === true
  // A fault that stops the request before the work is not stored. Another one is replayed like an answer.
  const replayed = second.headers['idempotent-replayed'] === 'true'
  if (second.status < 300) must(replayed === wasDone, 'what was done is not done again', about)
  const id = second.status < 300 ? (second.data.id ?? '') : ''
  await expectSeen(run, id === '' ? {} : existing ? { arrivals: [id] } : { created: [id] })
}

const load: Deeds<'load'>['load'] = async (run, { campaign: c, live, leads }) => {
  const campaign = pick([...run.mirror.campaigns.values()], c)
  run.witness.bringing = { by: 'app', key: null, sends: true }
  const sent = leads.map((lead) => ({ ...leadSent(lead), lead_source: 'list' }))
  const body = { campaign_id: campaign?.id, mode: live ? 'live' : 'test', leads: sent }
  const reply = await run.control<{ ids: string[] }>('POST', '/_sim/leads', body)
  if (reply.status !== 201) return void (await expectSeen(run))
  const fresh = [...new Set(reply.data.ids)].filter((id) => !run.mirror.leads.has(id))
  const again = [...reply.data.ids]
  for (const id of fresh) again.splice(again.indexOf(id), 1)
  await expectSeen(run, { created: fresh, arrivals: again })
}

const call: Deeds<'call'>['call'] = async (run, { key: k, lead: l }) => {
  const key = keyAt(run, k)
  const lead = leadFor(run, key.tenant, l)
  if (!lead) return
  const code = callVerdict(run.mirror, lead, key)
  run.witness.bringing = { by: 'api', key: key.key_id, sends: false }
  const reply = await run.api<Lead>(key, 'POST', '/calls', { lead_id: lead.id })
  const got = reply.status < 300 ? null : reply.error.code
  must(got === code, 'a call is refused by the first check it fails', { code, body: reply.body, lead })
  await expectSeen(run, code === null ? { arrivals: [lead.id] } : {})
  if (code === null) expectStanding(run.mirror, lead.id, reply.data)
}

const optOut: Deeds<'optOut'>['optOut'] = async (run, { key: k, lead: l }) => {
  const key = keyAt(run, k)
  const lead = leadFor(run, key.tenant, l)
  if (!lead) return
  const reply = await run.api<Lead & { call_in_progress: boolean }>(key, 'POST', `/leads/${lead.id}/opt_out`, {
    reason: 'asked',
  })
  const seen = lead.tenant === key.tenant && key.covers.has(lead.campaign)
  must((reply.status === 200) === seen, 'a lead can be opted out by keys that see it', { lead, body: reply.body })
  await expectSeen(run)
  if (!seen) return
  expectListed(run, lead.tenant, lead.phone)
  const goingOn = isOnTelephone(run.mirror, leadOf(run.mirror, lead.id))
  must(reply.data.call_in_progress === goingOn, 'an opt-out says whether a call goes on', { lead, body: reply.body })
  must(reply.data.status === 'out_of_queue' && reply.data.last_outcome === 'dnc', 'who opts out is out', {
    body: reply.body,
  })
  lead.lastOutcome = 'dnc'
}

const takeOut: Deeds<'takeOut'>['takeOut'] = async (run, { lead: l }) => {
  const lead = leadFor(run, null, l)
  if (!lead) return
  const reply = await run.control<Lead>('POST', `/_sim/leads/${lead.id}/take_out`)
  must(reply.status === 200, 'anybody can be taken out, and no call is cut', { lead, body: reply.body })
  Object.assign(lead, { takenOut: true, own: null, ownReason: null, startedBy: null })
  await expectSeen(run)
}

const putBack: Deeds<'putBack'>['putBack'] = async (run, { lead: l }) => {
  const lead = leadFor(run, null, l)
  if (!lead) return
  const code = callVerdict(run.mirror, lead, null)
  run.witness.bringing = { by: 'app', key: null, sends: false }
  const reply = await run.control<Lead>('POST', `/_sim/leads/${lead.id}/put_back`)
  const got = reply.status < 300 ? null : reply.error.code
  must(got === code, 'a lead is put back unless a check forbids it', { code, body: reply.body, lead })
  await expectSeen(run, code === null ? { arrivals: [lead.id] } : {})
}

const dialAt: Deeds<'dialAt'>['dialAt'] = async (run, { lead: l, inMinutes }) => {
  const lead = leadFor(run, null, l)
  if (!lead) return
  const code = callVerdict(run.mirror, lead, null)
  const at = run.now + inMinutes * minuteMs
  const reply = await run.control<Lead>('PATCH', `/_sim/leads/${lead.id}`, { next_dial_at: new Date(at).toISOString() })
  const got = reply.status < 300 ? null : reply.error.code
  must(got === code, 'a lead is dialed at a time unless a check forbids it', { code, body: reply.body, lead })
  if (code === null) {
    const own = inMinutes > 0 ? at : null
    const ownReason = own === null ? null : 'next_dial_time'
    // A person's decision wins over later corrections of the lead's calls.
    Object.assign(lead, { takenOut: false, startedBy: null, own, ownReason, arrivalTurn: run.mirror.turns })
  }
  await expectSeen(run)
}

const patch: Deeds<'patch'>['patch'] = async (run, { key: k, lead: l, patch: words }) => {
  const key = keyAt(run, k)
  const lead = leadFor(run, key.tenant, l)
  if (!lead) return
  const reply = await run.api<Lead>(key, 'PATCH', `/leads/${lead.id}`, words)
  const seen = lead.tenant === key.tenant && key.covers.has(lead.campaign)
  must((reply.status === 200) === seen, 'a lead can be changed by keys that see it', { lead, body: reply.body })
  if (seen && words.call_now === false && lead.callNow)
    Object.assign(lead, { callNow: false, unsure: lead.status === 'queued' })
  await expectSeen(run)
}

export const leadDeeds: Deeds<
  | 'add'
  | 'addAgain'
  | 'addCrowd'
  | 'addMany'
  | 'addThroughFault'
  | 'load'
  | 'call'
  | 'optOut'
  | 'takeOut'
  | 'putBack'
  | 'dialAt'
  | 'patch'
> = { add, addAgain, addCrowd, addMany, addThroughFault, load, call, optOut, takeOut, putBack, dialAt, patch }
