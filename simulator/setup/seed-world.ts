/** Founds a world that was given: its organizations with their people, campaigns, keys and call scripts. */
import type { FileOrganization, WorldFile } from '../../src/contract/control/world-file.js'
import { readNumber } from '../../src/phone/number.js'
import { fromIso, type Instant } from '../kernel/instant.js'
import { modes } from '../model/api-key.js'
import { tenantOf, type OrganizationRecord } from '../model/organization.js'
import type { World } from '../model/world.js'
import { defined } from '../model/defined.js'
import { foundCampaign, foundKey, foundOrganization, usualCampaign, type Taken } from './factories.js'

export function foundGivenWorld(world: World, { organizations, scripts = [] }: WorldFile): void {
  const taken = new Set(organizations.flatMap(givenIds))
  const records = organizations.map((words) => foundOne(world, words, taken))
  for (const { organization_id: named, ...script } of scripts) {
    const record =
      named === undefined ? records[0] : records.find(({ id, name }) => id === named.toLowerCase() || name === named)
    if (record) setGiven(world, record, script)
  }
}

function givenIds({ id, members = [], campaigns = [], keys = [] }: FileOrganization): string[] {
  const ids = [id, ...members.map((member) => member.id), ...campaigns.map((campaign) => campaign.id)]
  return [...ids, ...keys.flatMap(({ key_id, secret }) => [key_id, secret])].filter((given) => given !== undefined)
}

const usual: Required<Pick<FileOrganization, 'campaigns' | 'keys'>> = {
  campaigns: [usualCampaign],
  keys: modes.map((mode) => ({ mode })),
}

function foundOne(world: World, words: FileOrganization, taken: Taken): OrganizationRecord {
  const { members, campaigns = usual.campaigns, keys = usual.keys, scripts = [], ...settings } = words
  const record = foundOrganization(world, defined(settings), members, taken)
  const idsByName = new Map<string, string>()
  for (const { created, updated, object: _object, livemode: _livemode, ...campaign } of campaigns) {
    const times = defined({ created: momentOf(created), updated: momentOf(updated) })
    const { id, name } = foundCampaign(world, record.n, { ...defined(campaign), ...times }, taken)
    if (!idsByName.has(name)) idsByName.set(name, id)
  }
  for (const { expires_at, campaign_ids, limits, ...key } of keys) {
    const scope = campaign_ids?.map((named) => idsByName.get(named) ?? named.toLowerCase()) ?? null
    const rest = { campaign_ids: scope, expires_at: momentOf(expires_at) ?? null, limits: defined(limits ?? {}) }
    foundKey(world, record.n, { ...defined(key), ...rest }, taken)
  }
  for (const script of scripts) setGiven(world, record, script)
  return record
}

type GivenScript = NonNullable<FileOrganization['scripts']>[number]

function setGiven(world: World, { n }: OrganizationRecord, { phone, mode, calls }: GivenScript): void {
  const number = readNumber(phone)
  if (number.kind !== 'invalid') world.organization(tenantOf(n, mode)).scripts.set(number.e164, calls)
}

const momentOf = (text: string | null | undefined): Instant | undefined =>
  text ? (fromIso(text) ?? undefined) : undefined
