/** The facts that the dialing rules judge, read from the world. A fact is looked up when a rule asks for it. */
import type { DialingFacts } from '../../src/dialing/eligibility.js'
import type { Instant } from '../kernel/instant.js'
import type { Campaign } from '../model/campaign.js'
import type { Lead } from '../model/lead.js'
import type { Tenant } from '../model/world.js'

export class LeadFacts implements DialingFacts {
  readonly now: Instant

  constructor(
    readonly tenant: Tenant,
    readonly campaign: Campaign,
    readonly lead: Lead,
    now = tenant.world.now,
  ) {
    this.now = now
  }

  /** Calls of the lead's own campaign do not count (rule D4). A number that only this lead has was never reached by others. */
  get lastReached(): Instant | null {
    const { phone, campaign, phone_is_unique, zone } = this.lead
    return phone_is_unique === 1 || zone === '' ? null : this.tenant.calls.lastReached(phone, campaign)
  }

  get isListed(): boolean {
    return this.tenant.dnc.has(this.lead.phone)
  }

  get isRetired(): boolean {
    return this.tenant.numbers.isRetired(this.lead.campaign, this.lead.phone)
  }
}
