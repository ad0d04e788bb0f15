/** The authenticated client of a request: a key, its organization in the key's mode, and the campaigns it covers. */
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { Permission } from '../../src/contract/permissions.js'
import type { Call } from '../model/call.js'
import type { Campaign } from '../model/campaign.js'
import type { ApiKey } from '../model/api-key.js'
import type { Lead } from '../model/lead.js'
import { tenantNumberOf } from '../model/organization.js'
import type { Tenant, World } from '../model/world.js'

export class Principal {
  readonly tenant: Tenant
  readonly #generation: number

  constructor(
    readonly world: World,
    readonly key: ApiKey,
  ) {
    this.#generation = world.generation
    this.tenant = world.tenant(tenantNumberOf(key.organization, key.mode))
  }

  /** Whether a reset or a restore replaced the world since. The key then belongs to the old world. */
  get isOfAnotherWorld(): boolean {
    return this.#generation !== this.world.generation
  }

  get live(): boolean {
    return this.tenant.live
  }

  /** Numbers of the campaigns the key is limited to; null means every campaign (rule K4). */
  get scope(): number[] | null {
    return this.key.campaign_ids?.flatMap((id) => this.tenant.campaignById(id)?.n ?? []) ?? null
  }

  covers(campaign: Campaign): boolean {
    return this.key.campaign_ids === null || this.key.campaign_ids.includes(campaign.id)
  }

  can(permission: Permission): boolean {
    return this.key.permissions.includes(permission)
  }

  /** Throws if the key lacks the permission (rule K3). */
  require(permission: Permission): void {
    if (this.can(permission)) return
    throw new ApiError('permission_denied', `The key does not have the permission ${permission}.`, {
      missing_permission: permission,
    })
  }

  /** Throws if the key is limited to some campaigns (rule K5). */
  requireEveryCampaign(): void {
    if (this.key.campaign_ids === null) return
    throw new ApiError('permission_denied', 'This needs a key that covers every campaign.', { campaign_id: null })
  }

  /** The campaign that a write names, or null if it does not exist. Throws if the key does not cover it (rule K4). */
  campaignToWrite(id: string, param = 'campaign_id'): Campaign | null {
    const campaign = this.tenant.campaignById(id)
    if (campaign && !this.covers(campaign)) {
      throw new ApiError('permission_denied', 'The key does not cover this campaign.', {
        param,
        campaign_id: campaign.id,
      })
    }
    return campaign
  }

  /** The campaigns a list shows: all of the key's, or the requested one if the key covers it. */
  campaignsToRead(id: string | undefined): number[] | null {
    if (id === undefined) return this.scope
    const campaign = this.tenant.campaignById(id)
    return campaign && this.covers(campaign) ? [campaign.n] : []
  }

  /** The campaign with this id. Throws 404 if the key does not cover it (rule K4). */
  campaign(id: string): Campaign {
    const campaign = this.tenant.campaignById(id)
    if (!campaign || !this.covers(campaign)) throw new ApiError('not_found', 'There is no such campaign.')
    return campaign
  }

  lead(id: string): Lead {
    const lead = this.leadOrNull(id)
    if (!lead) throw new ApiError('not_found', 'There is no such lead.')
    return lead
  }

  leadOrNull(id: string): Lead | null {
    const lead = this.tenant.leads.byId(id)
    return lead && this.covers(this.tenant.campaign(lead.campaign)) ? lead : null
  }

  call(id: string): Call {
    const call = this.callOrNull(id)
    if (!call) throw new ApiError('not_found', 'There is no such call.')
    return call
  }

  callOrNull(id: string): Call | null {
    const call = this.tenant.calls.byId(id)
    if (!call) return null
    const seen =
      call.campaign === null ? this.key.campaign_ids === null : this.covers(this.tenant.campaign(call.campaign))
    return seen ? call : null
  }
}
