/** Creates the world described by a world file: organizations with members, campaigns, keys and call scripts. */
import type { FileOrganization, WorldFile } from '../../src/contract/control/world-file.js'
import { parsePhone } from '../../src/phone/number.js'
import { fromIso, type Instant } from '../kernel/instant.js'
import { modes } from '../model/api-key.js'
import { tenantNumberOf, type Organization } from '../model/organization.js'
import type { World } from '../model/world.js'
import { omitUndefined } from '../model/defined.js'
import { createCampaign, createKey, createOrganization, defaultCampaign, type UsedIds } from './factories.js'

export function seedFromWorldFile(world: World, { organizations, scripts = [] }: WorldFile): void {
  const taken = new Set(organizations.flatMap(collectGivenIds))
  const records = organizations.map((input) => seedOrganization(world, input, taken))
  for (const { organization_id: named, ...script } of scripts) {
    const record =
      named === undefined ? records[0] : records.find(({ id, name }) => id === named.toLowerCase() || name === named)
    if (record) setGivenScript(world, record, script)
  }
}

function collectGivenIds({ id, members = [], campaigns = [], keys = [] }: FileOrganization): string[] {
  const ids = [id, ...members.map((member) => member.id), ...campaigns.map((campaign) => campaign.id)]
  return [...ids, ...keys.flatMap(({ key_id, secret }) => [key_id, secret])].filter((given) => given !== undefined)
}

const withDefaults: Required<Pick<FileOrganization, 'campaigns' | 'keys'>> = {
  campaigns: [defaultCampaign],
  keys: modes.map((mode) => ({ mode })),
}

function seedOrganization(world: World, input: FileOrganization, taken: UsedIds): Organization {
  const { members, campaigns = withDefaults.campaigns, keys = withDefaults.keys, scripts = [], ...settings } = input
  const record = createOrganization(world, omitUndefined(settings), members, taken)
  const idsByName = new Map<string, string>()
  for (const { created, updated, object: _object, livemode: _livemode, ...campaign } of campaigns) {
    const times = omitUndefined({ created: momentOf(created), updated: momentOf(updated) })
    const { id, name } = createCampaign(world, record.n, { ...omitUndefined(campaign), ...times }, taken)
    if (!idsByName.has(name)) idsByName.set(name, id)
  }
  for (const { expires_at, campaign_ids, limits, ...key } of keys) {
    const scope = campaign_ids?.map((named) => idsByName.get(named) ?? named.toLowerCase()) ?? null
    const rest = { campaign_ids: scope, expires_at: momentOf(expires_at) ?? null, limits: omitUndefined(limits ?? {}) }
    createKey(world, record.n, { ...omitUndefined(key), ...rest }, taken)
  }
  for (const script of scripts) setGivenScript(world, record, script)
  return record
}

type GivenScript = NonNullable<FileOrganization['scripts']>[number]

function setGivenScript(world: World, { n }: Organization, { phone, mode, calls }: GivenScript): void {
  const number = parsePhone(phone)
  if (number.kind !== 'invalid') world.tenant(tenantNumberOf(n, mode)).scripts.set(number.e164, calls)
}

const momentOf = (text: string | null | undefined): Instant | undefined =>
  text ? (fromIso(text) ?? undefined) : undefined
