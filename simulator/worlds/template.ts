/** Templates of isolated worlds: images of databases, which open in less than a millisecond. */
import type { CampaignInWorld } from '../../src/contract/control/campaigns.js'
import type { Key } from '../../src/contract/control/keys.js'
import type { Instant } from '../kernel/instant.js'
import { campaignInWorld } from '../http/control/world.js'
import { keyInWorld } from '../http/control/keys.js'
import { modes } from '../model/api-key.js'
import { tenantNumberOf } from '../model/organization.js'
import { World, type Tenant } from '../model/world.js'
import { seedWorld, type StartOptions } from '../setup/reset.js'
import { inMemory, Store } from '../storage/store.js'
import { simulatedNetwork } from '../telephony/simulated-network.js'
import { skipPendingDeliveries, pauseEndpoint } from '../webhooks/deliveries.js'

/** Bytes of a page. Most tables of a small world fill less than one, and each takes at least one. */
const smallPages = 1_024

export interface WorldTemplate {
  image: Buffer
  now: Instant
  /** Clock speed factor, unless the options of the world give one. */
  speed: number
  seed: number
  campaigns: CampaignInWorld[]
  keys: Key[]
}

/** A fork is open from the start: its image is that of its source, and its changes are in the open world. */
export interface Fork extends WorldTemplate {
  world: World
  /** Makes the changes again, after the image was restored. */
  prepare: (world: World) => void
}

export const openWorld = (image: Buffer): World => new World(Store.ofImage(image), simulatedNetwork)

/** Describes a world together with an image of it. */
export function describeTemplate(world: World, image: Buffer): WorldTemplate {
  const organizations = world.organizations.all()
  const { now = world.now, speed = 1 } = world.clockRecord() ?? {}
  return {
    image,
    now,
    speed,
    seed: world.drawSeed,
    campaigns: organizations.flatMap(({ n }) => world.campaigns.listByOrganization(n).map(campaignInWorld)),
    keys: organizations.flatMap(({ n }) => world.keys.listByOrganization(n).map(keyInWorld)),
  }
}

/** How many images are kept. Test suites create worlds with the same options again and again. */
const keptImages = 16

/** Makes the images of new worlds, and keeps the last ones. */
export class WorldTemplates {
  /** A database with the schema only, to spare each new world the migrations. */
  #empty: Buffer | null = null
  readonly #kept = new Map<string, WorldTemplate>()

  /** The image of a new world with these start options. `root` is the root of its secrets; a random one if null. */
  get(start: StartOptions, root: string | null, machineNow: Instant): WorldTemplate {
    const name = JSON.stringify([start, root])
    const known = this.#kept.get(name)
    if (known) return known
    const made = this.#make(start, root, machineNow)
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= keptImages && oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(name, made)
    return made
  }

  #make(start: StartOptions, root: string | null, machineNow: Instant): WorldTemplate {
    const store = this.#empty ? Store.ofImage(this.#empty) : Store.open(inMemory, undefined, smallPages)
    try {
      this.#empty ??= store.image()
      const world = new World(store, simulatedNetwork)
      store.transaction(() => seedWorld(world, start, machineNow, root))
      world.refresh()
      return describeTemplate(world, store.image())
    } finally {
      store.close()
    }
  }
}

export interface ForkOptions {
  /** Draws of calls follow from it. Ids that exist stay. */
  seed: number | undefined
  keepEndpoints: boolean
}

/** Opens a fork: the source, without the deliveries that the source still makes. */
export function openFork(image: Buffer, { seed, keepEndpoints }: ForkOptions): Fork {
  const world = openWorld(image)
  const prepare = (fork: World) => {
    if (seed !== undefined) fork.set('draw_seed', String(seed))
    for (const tenant of tenantsOf(fork)) detachFromSource(tenant, keepEndpoints)
  }
  try {
    world.now = world.clockRecord()?.now ?? world.now
    world.store.transaction(() => prepare(world))
    world.refresh()
    return { ...describeTemplate(world, image), world, prepare }
  } catch (error) {
    world.store.close()
    throw error
  }
}

const tenantsOf = (world: World): Tenant[] =>
  world.organizations.all().flatMap(({ n }) => modes.map((mode) => world.tenant(tenantNumberOf(n, mode))))

function detachFromSource(tenant: Tenant, keepEndpoints: boolean): void {
  for (const endpoint of tenant.endpoints.all()) {
    if (!keepEndpoints && endpoint.status === 'active') pauseEndpoint(tenant, endpoint)
    skipPendingDeliveries(tenant, endpoint)
  }
}
