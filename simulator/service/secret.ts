/** Secrets of keys and endpoints: from the seed, so that the same world has the same ones. */
import type { World } from '../world/world.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** A webhook endpoint's secret. */
export const newSecret = (world: World, name: string): string =>
  `whsec_${world.chance.stream(`secret/${name}`).text(32, alphabet)}`

/** A key's id and secret; the mode is read from their prefixes (specification, Authentication). */
export function newKeyPair(world: World, mode: 'live' | 'test', name: string): { key_id: string; secret: string } {
  const chance = world.chance.stream(`key/${name}`)
  return { key_id: `ck_${mode}_${chance.text(20, alphabet)}`, secret: `cs_${mode}_${chance.text(32, alphabet)}` }
}
