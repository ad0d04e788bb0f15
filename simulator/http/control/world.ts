/** Serves the world of the control plane: organizations, campaigns, and going back to the start. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { fromIso, toIso } from '../../kernel/instant.js'
import { changeCampaign } from '../../dialing/campaigns.js'
import { defined } from '../../model/defined.js'
import { foundCampaign, foundReadyOrganization } from '../../setup/factories.js'
import { foundAgain } from '../../setup/reset.js'
import { isTimeZone } from '../../setup/time-zone.js'
import { campaignOnWire } from '../../model/serialize/resources.js'
import type { Campaign } from '../../model/campaign.js'
import type { OrganizationRecord } from '../../model/organization.js'
import { created, ok, type ControlHandlers } from '../handler.js'
import { keyInWorld } from './keys.js'
import { campaignNamed, organizationOf, type Plane } from './context.js'

type WorldHandlers = Pick<
  ControlHandlers,
  'getWorld' | 'createOrganization' | 'updateOrganization' | 'createCampaign' | 'updateCampaign' | 'reset'
>

export function worldHandlers(plane: Plane): WorldHandlers {
  const { world, steps } = plane
  const shown = (record: OrganizationRecord) => ({
    id: record.id,
    name: record.name,
    time_zone: record.time_zone,
    requests_per_minute: record.requests_per_minute,
    rate_usd_per_minute: record.rate_usd_per_minute,
    recording: record.recording,
    admins: record.admins,
    members: world.organizations.members(record.n).map(({ id, name, role }) => ({ id, name, role })),
    campaigns: world.campaigns.of(record.n).map(campaignInWorld),
    keys: world.keys.of(record.n).map(keyInWorld),
  })
  return {
    getWorld: () => ok(steps.read(() => ({ organizations: world.organizations.all().map(shown) }))),
    createOrganization: ({ body }) => {
      checkTimeZone(body.time_zone)
      return created(steps.step(() => shown(foundReadyOrganization(world, defined(body)))))
    },
    updateOrganization: ({ params, body }) => {
      checkTimeZone(body.time_zone)
      return ok(steps.step(() => shown(world.organizations.change(organizationOf(plane, params.id), defined(body)))))
    },
    createCampaign: ({ body: { organization_id, ...words } }) =>
      created(
        steps.step(() =>
          campaignInWorld(foundCampaign(world, organizationOf(plane, organization_id).n, defined(words))),
        ),
      ),
    updateCampaign: ({ params, body }) =>
      ok(
        steps.step(() => {
          const campaign = campaignNamed(plane, params.id)
          changeCampaign(world, campaign, defined(body))
          return campaignInWorld(campaign)
        }),
      ),
    reset: async ({ body: { seed, now } }) => {
      const { pace, clock, faults, log, quotas, requestIds } = plane
      await plane.replace(() => {
        const began = now === undefined ? undefined : (fromIso(now) ?? undefined)
        const secretsFollowSeed = seed === undefined ? undefined : plane.isLocal
        const record = foundAgain(world, { ...pace, seed, now: began, secretsFollowSeed }, plane.machineNow())
        requestIds.restart()
        return record
      })
      faults.clear()
      log.clear()
      quotas.forget()
      return ok(steps.read(() => ({ now: toIso(world.now), speed: clock.speed, paused: clock.paused })))
    },
  }
}

function checkTimeZone(name: string | undefined): void {
  if (name === undefined || isTimeZone(name)) return
  throw new Refusal('invalid_request', `${name} is no time zone of the IANA database.`, { param: 'time_zone' })
}

function campaignInWorld(campaign: Campaign) {
  const { livemode: _livemode, ...rest } = campaignOnWire(campaign, true)
  return rest
}
