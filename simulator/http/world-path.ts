/** Paths of worlds. What a world serves is below `/w/<id>`; what the main world serves is below `/` as well. */

/** Id of the world that the simulator was started with. */
export const mainId = 'main'

const prefix = '/w/'

/** The path of a world, without a slash at its end. */
export const worldPath = (id: string): string => (id === mainId ? '' : prefix + id)

/** Splits a request's URL into the id of its world and the URL below the world's path. */
export function splitWorldPath(url: string): { id: string; below: string } {
  if (!url.startsWith(prefix)) return { id: mainId, below: url }
  const [, id = '', below = ''] = /^([^/?]*)(.*)$/s.exec(url.slice(prefix.length)) ?? []
  return { id, below: below.startsWith('/') ? below : `/${below}` }
}
