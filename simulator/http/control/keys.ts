/** Serves API keys on the control API. */
import { ApiError } from '../../../src/contract/errors/error-codes.js'
import { fromIso, toIsoOrNull } from '../../kernel/instant.js'
import { omitUndefined } from '../../model/defined.js'
import { createKey } from '../../setup/factories.js'
import type { ApiKey } from '../../model/api-key.js'
import { replyCreated, replyOk, type ControlHandlers } from '../handler.js'
import { organizationFor, type ControlContext } from './context.js'

export function keyHandlers(context: ControlContext): Pick<ControlHandlers, 'createKey' | 'updateKey'> {
  const { world, steps } = context
  return {
    createKey: ({ body: { organization_id, expires_at, ...fields } }) =>
      replyCreated(
        steps.step(() => {
          const { n } = organizationFor(context, organization_id)
          checkCampaigns(context, n, fields.campaign_ids)
          return keyInWorld(
            createKey(world, n, { ...omitUndefined(fields), expires_at: expires_at ? fromIso(expires_at) : null }),
          )
        }),
      ),
    updateKey: ({ params, body: { expires_at, limits, ...fields } }) =>
      replyOk(
        steps.step(() => {
          const key = world.keys.byId(params.key_id)
          if (!key) throw new ApiError('not_found', 'There is no such key.')
          checkCampaigns(context, key.organization, fields.campaign_ids)
          world.keys.change(key, {
            ...omitUndefined(fields),
            ...(expires_at !== undefined && { expires_at: expires_at === null ? null : fromIso(expires_at) }),
            limits: { ...key.limits, ...omitUndefined(limits ?? {}) },
          })
          return keyInWorld(key)
        }),
      ),
  }
}

/** A key with its secret. The control API shows it so that programs can use it. */
export const keyInWorld = ({ n: _n, organization: _organization, expires_at, ...key }: ApiKey) => ({
  ...key,
  expires_at: toIsoOrNull(expires_at),
})

function checkCampaigns(
  { world }: ControlContext,
  organization: number,
  ids: readonly string[] | null | undefined,
): void {
  for (const id of ids ?? []) {
    if (!world.campaigns.byId(organization, id)) {
      throw new ApiError('not_found', `The organization has no campaign ${id}.`, { param: 'campaign_ids' })
    }
  }
}
