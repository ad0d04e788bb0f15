/** Generates secrets of keys and endpoints from the world's root secret. Key ids come from the seed. */
import type { World } from './world.js'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const secretLength = 32

/** Generates the secret of a webhook endpoint. */
export const newSecret = (world: World, name: string): string =>
  `whsec_${world.secrets.text(`webhook/${name}`, secretLength)}`

/** Generates the id and secret of a key. Their prefixes show the mode. */
export function newKeyPair(world: World, mode: 'live' | 'test', name: string): { key_id: string; secret: string } {
  const id = world.random.stream(`key/${name}`).text(20, alphabet)
  return { key_id: `ck_${mode}_${id}`, secret: `cs_${mode}_${world.secrets.text(`key/${mode}/${name}`, secretLength)}` }
}
