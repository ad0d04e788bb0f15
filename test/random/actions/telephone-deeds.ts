/** Actions on the phone network and the Do Not Call list. */
import type { Call } from '../../../src/contract/calls.js'
import type { DncEntry } from '../../../src/contract/dnc.js'
import type { Organization } from '../../../src/contract/control/world.js'
import type { Deeds } from './deeds.js'
import { expectListed, expectSeen } from '../model/expectation.js'
import { tenantOf } from '../journal.js'
import { isLive, type Mirror } from '../model/mirror.js'
import { refused, reserved } from '../model/numbers.js'
import { must } from '../model/rule.js'
import { pick, type OwnKey, type Run } from '../run.js'

const canBeListed = (tenant: string, phone: string): boolean =>
  refused[phone] !== 'invalid_phone' && !(reserved.includes(phone) && isLive(tenant))

const keyAt = (run: Run, n: number): OwnKey => pick(run.keys, n) as OwnKey
const organizationAt = (run: Run, n: number): Organization => pick(run.organizations, n) as Organization
const modeOf = (live: boolean) => (live ? 'live' : 'test')

const isOnTelephone = ({ calls }: Mirror, tenant: string, phone: string): boolean =>
  [...calls.values()].some((call) => call.tenant === tenant && call.phone === phone && call.status !== 'ended')

const list: Deeds<'list'>['list'] = async (run, { key: k, phone }) => {
  const key = keyAt(run, k)
  const listed = run.mirror.dnc.get(key.tenant)?.has(phone)
  const code = !canBeListed(key.tenant, phone) ? 'invalid_phone' : listed ? 'duplicate_dnc_entry' : null
  const reply = await run.api<DncEntry>(key, 'POST', '/dnc', { phone })
  must((reply.status === 201 ? null : reply.error.code) === code, 'a number is listed once', { code, body: reply.body })
  await expectSeen(run)
  if (code === null) expectListed(run, key.tenant, phone)
}

const listMany: Deeds<'listMany'>['listMany'] = async (run, { organization: o, live, phones, source }) => {
  const organization = organizationAt(run, o)
  const tenant = tenantOf(organization.id, modeOf(live))
  const key = run.keys.find((one) => one.tenant === tenant && one.campaign_ids === null) as OwnKey
  const reply =
    source === 'api'
      ? await run.api(key, 'POST', '/dnc/batch', { phones })
      : await run.control('POST', '/_sim/dnc', { phones, source, mode: modeOf(live), organization_id: organization.id })
  must(reply.status === 200, 'many numbers are listed each on its own', { body: reply.body })
  await expectSeen(run)
  for (const phone of phones) if (canBeListed(tenant, phone)) expectListed(run, tenant, phone)
}

const unlist: Deeds<'unlist'>['unlist'] = async (run, { key: k, entry }) => {
  const key = keyAt(run, k)
  const client = run.stage.simulation.as(key)
  // Newest first: mostly a recently listed number.
  const entries = await client.all<DncEntry>('/dnc', 'cursor')
  const found = pick(entry % 3 === 0 ? entries : entries.slice(0, 3), entry)
  if (!found) return
  const reply = await run.api<DncEntry>(key, 'DELETE', `/dnc/${found.id}`)
  must(reply.status === 200, 'a listed number can be taken off the list', { body: reply.body })
  run.mirror.dnc.get(key.tenant)?.delete(found.phone)
  await expectSeen(run)
}

const text: Deeds<'text'>['text'] = async (run, { organization: o, live, phone, body }) => {
  const { id } = organizationAt(run, o)
  const tenant = tenantOf(id, modeOf(live))
  const sent = { from: phone, body, mode: modeOf(live), organization_id: id }
  const reply = await run.control<{ opted_out: boolean }>('POST', '/_sim/texts', sent)
  must((reply.status === 202) === canBeListed(tenant, phone), 'any number can send a text', { phone, body: reply.body })
  await expectSeen(run)
  if (reply.status === 202 && reply.data.opted_out) expectListed(run, tenant, phone)
}

const ring: Deeds<'ring'>['ring'] = async (run, { campaign: c, live, phone, outcome }) => {
  const campaign = pick([...run.mirror.campaigns.values()], c)
  if (!campaign) return
  const tenant = tenantOf(campaign.organization, modeOf(live))
  const code = !canBeListed(tenant, phone)
    ? 'invalid_phone'
    : isOnTelephone(run.mirror, tenant, phone)
      ? 'lead_busy'
      : null
  const sent = { from: phone, campaign_id: campaign.id, mode: modeOf(live), ...(outcome && { outcome }) }
  const reply = await run.control<Call>('POST', '/_sim/inbound_calls', sent)
  must((reply.status === 201 ? null : reply.error.code) === code, 'who is on no call can call', {
    code,
    body: reply.body,
  })
  if (reply.status === 201) run.witness.callers.set(reply.data.id, phone)
  await expectSeen(run)
}

const correct: Deeds<'correct'>['correct'] = async (run, { call: c, outcome, note }) => {
  const call = pick([...run.mirror.calls.values()].reverse(), c % 40)
  if (!call) return
  const changes = { ...(outcome && { outcome }), ...(note !== undefined && { note }) }
  const changed = (outcome !== undefined && outcome !== call.outcome) || (note !== undefined && note !== call.note)
  const reply = await run.control<Call>('PATCH', `/_sim/calls/${call.id}`, changes)
  const ended = call.status === 'ended'
  must((reply.status === 200) === ended, 'a call is corrected when it has ended', { call, body: reply.body })
  if (ended && note !== undefined) call.note = note
  await expectSeen(run, ended && changed ? { corrected: [call.id] } : {})
}

const script: Deeds<'script'>['script'] = async (run, { organization: o, live, phone, calls }) => {
  const { id } = organizationAt(run, o)
  const named = calls.map(({ callback_in_minutes: minutes, ...call }) => ({
    ...call,
    ...(minutes !== undefined && { callback_at: new Date(run.now + minutes * 60_000).toISOString() }),
  }))
  await run.control('POST', '/_sim/scripts', { phone, calls: named, mode: modeOf(live), organization_id: id })
  await expectSeen(run)
}

export const telephoneDeeds: Deeds<'list' | 'listMany' | 'unlist' | 'text' | 'ring' | 'correct' | 'script'> = {
  list,
  listMany,
  unlist,
  text,
  ring,
  correct,
  script,
}
