/** Serves organizations, campaigns and the reset of the world. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { fromIso, toIso } from '../../kernel/instant.js'
import { changeCampaign } from '../../dialing/campaigns.js'
import { omitUndefined } from '../../model/defined.js'
import { createCampaign, createReadyOrganization } from '../../setup/factories.js'
import { isTimeZone } from '../../setup/time-zone.js'
import { serializeCampaign } from '../../model/serialize/resources.js'
import type { Campaign } from '../../model/campaign.js'
import type { Organization } from '../../model/organization.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import { keyInWorld } from './keys.js'
import { campaignNamed, organizationFor, type ControlContext } from './context.js'

type WorldHandlers = Pick<
  ControlHandlers,
  'getWorld' | 'createOrganization' | 'updateOrganization' | 'createCampaign' | 'updateCampaign' | 'reset'
>

export function worldHandlers(context: ControlContext): WorldHandlers {
  const { world, steps } = context
  const shown = (record: Organization) => ({
    id: record.id,
    name: record.name,
    time_zone: record.time_zone,
    requests_per_minute: record.requests_per_minute,
    rate_usd_per_minute: record.rate_usd_per_minute,
    recording: record.recording,
    admins: record.admins,
    members: world.organizations.listMembers(record.n).map(({ id, name, role }) => ({ id, name, role })),
    campaigns: world.campaigns.listByOrganization(record.n).map(campaignInWorld),
    keys: world.keys.listByOrganization(record.n).map(keyInWorld),
  })
  return {
    getWorld: () => replyOk(steps.read(() => ({ organizations: world.organizations.all().map(shown) }))),
    createOrganization: ({ body }) => {
      checkTimeZone(body.time_zone)
      return replyCreated(steps.step(() => shown(createReadyOrganization(world, omitUndefined(body)))))
    },
    updateOrganization: ({ params, body }) => {
      checkTimeZone(body.time_zone)
      return replyOk(
        steps.step(() => shown(world.organizations.change(organizationFor(context, params.id), omitUndefined(body)))),
      )
    },
    createCampaign: ({ body: { organization_id, ...fields } }) =>
      replyCreated(
        steps.step(() =>
          campaignInWorld(createCampaign(world, organizationFor(context, organization_id).n, omitUndefined(fields))),
        ),
      ),
    updateCampaign: ({ params, body }) =>
      replyOk(
        steps.step(() => {
          const campaign = campaignNamed(context, params.id)
          changeCampaign(world, campaign, omitUndefined(body))
          return campaignInWorld(campaign)
        }),
      ),
    reset: async ({ body: { seed, now } }) => {
      const { pace, clock, faults, webhookFaults, log, quotas, requestIds } = context
      await context.replace(() => {
        const began = now === undefined ? undefined : (fromIso(now) ?? undefined)
        const secretsFollowSeed = seed === undefined ? undefined : context.isLocal
        const record = context.beginAgain({ ...pace, seed, now: began, secretsFollowSeed })
        requestIds.restart()
        return record
      })
      faults.clear()
      webhookFaults.clear()
      log.clear()
      quotas.reset()
      return replyOk(steps.read(() => ({ now: toIso(world.now), speed: clock.speed, paused: clock.paused })))
    },
  }
}

function checkTimeZone(name: string | undefined): void {
  if (name === undefined || isTimeZone(name)) return
  throw new ApiError('invalid_request', `${name} is not a time zone of the IANA database.`, { param: 'time_zone' })
}

export function campaignInWorld(campaign: Campaign) {
  const { livemode: _livemode, ...rest } = serializeCampaign(campaign, true)
  return rest
}
