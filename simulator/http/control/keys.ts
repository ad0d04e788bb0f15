/** Serves the API keys of the control plane. */
import { Refusal } from '../../../src/contract/errors/error-codes.js'
import { fromIso, toIsoOrNull } from '../../kernel/instant.js'
import { defined } from '../../model/defined.js'
import { foundKey } from '../../setup/factories.js'
import type { Key } from '../../model/api-key.js'
import { created, ok, type ControlHandlers } from '../handler.js'
import { organizationOf, type Plane } from './context.js'

export function keyHandlers(plane: Plane): Pick<ControlHandlers, 'createKey' | 'updateKey'> {
  const { world, steps } = plane
  return {
    createKey: ({ body: { organization_id, expires_at, ...words } }) =>
      created(
        steps.step(() => {
          const { n } = organizationOf(plane, organization_id)
          checkCampaigns(plane, n, words.campaign_ids)
          return keyInWorld(
            foundKey(world, n, { ...defined(words), expires_at: expires_at ? fromIso(expires_at) : null }),
          )
        }),
      ),
    updateKey: ({ params, body: { expires_at, limits, ...words } }) =>
      ok(
        steps.step(() => {
          const key = world.keys.byId(params.key_id)
          if (!key) throw new Refusal('not_found', 'There is no such key.')
          checkCampaigns(plane, key.organization, words.campaign_ids)
          world.keys.change(key, {
            ...defined(words),
            ...(expires_at !== undefined && { expires_at: expires_at === null ? null : fromIso(expires_at) }),
            limits: { ...key.limits, ...defined(limits ?? {}) },
          })
          return keyInWorld(key)
        }),
      ),
  }
}

/** A key with its secret: the control plane shows it, so that programs can be given it. */
export const keyInWorld = ({ n: _n, organization: _organization, expires_at, ...key }: Key) => ({
  ...key,
  expires_at: toIsoOrNull(expires_at),
})

function checkCampaigns({ world }: Plane, organization: number, ids: readonly string[] | null | undefined): void {
  for (const id of ids ?? []) {
    if (!world.campaigns.byId(organization, id)) {
      throw new Refusal('not_found', `The organization has no campaign ${id}.`, { param: 'campaign_ids' })
    }
  }
}
