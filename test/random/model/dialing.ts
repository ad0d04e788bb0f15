/** Checks at the moment when a lead is dialed. */
import { isOpen } from './hours.js'
import { cooldownEnd, holdOf } from './judgement.js'
import { dialable, lineOf } from './line.js'
import { campaignOf, numberKey, onLines, type Mirror, type SeenCall, type SeenLead } from './mirror.js'
import { reserved, zonesOf } from './numbers.js'
import { must } from './rule.js'

/** Checked before the lead leaves the queue. */
export function checkTurn(mirror: Mirror, lead: SeenLead): void {
  const line = dialable(mirror, lineOf(mirror, lead.tenant, lead.campaign))
  const first = line[0]
  if (line.some(({ unsure }) => unsure)) return
  must(first === lead, 'the first in line is dialed first', { dialed: lead, first })
}

/** Checked when the call begins to ring. The call does not count among earlier ones. */
export function checkDialed(mirror: Mirror, lead: SeenLead, call: SeenCall): void {
  const { tenant, phone } = lead
  const at = call.started
  const campaign = campaignOf(mirror, lead.campaign)
  const about = { at: new Date(at).toISOString(), lead, campaign }
  const others = [...mirror.calls.values()].filter((one) => one !== call && one.tenant === tenant)

  must(lead.before === 'queued', 'only a lead in line is dialed', about)
  must(!mirror.dnc.get(tenant)?.has(phone), 'a listed number is never called', about)
  must(holdOf(campaign) === null && campaign.status === 'running', 'nobody is called while a hold lasts', about)
  must(isOpen(zonesOf(phone), campaign, at), 'calls are made inside the calling hours alone', about)
  must(!mirror.retired.has(numberKey(tenant, lead.campaign, phone)), 'a retired number is not called', about)
  const lines = onLines(mirror, tenant, lead.campaign).length
  must(lines <= campaign.lines, 'a campaign never has more calls than lines', { ...about, lines })

  const cooldown = cooldownEnd(
    { ...mirror, calls: new Map(others.map((one) => [one.id, one])) },
    tenant,
    lead.campaign,
    phone,
  )
  must(cooldown === null || cooldown <= at, 'a number rests for 24 hours after others reached it', {
    ...about,
    until: cooldown,
  })
  const going = others.filter((one) => one.phone === phone && one.status !== 'ended')
  // Reserved numbers can be called at any time, in any campaign.
  const isFree = going.length === 0 || reserved.includes(phone)
  must(isFree, 'nobody is called while on the telephone', { ...about, going })
  must(lead.own === null || lead.own <= at, 'nobody is called before their own time', about)
}
