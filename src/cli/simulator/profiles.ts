/** The profiles under which a simulator's keys are saved: one name for the test key, the same with -live for the live key. */
import { sendOnce } from '../../client/exchange.js'
import type { Profile, Profiles } from '../../config/profiles.js'
import { isLoopbackHost, urlOf } from '../../url.js'

export interface Keyed {
  baseUrl: string
  world: { keys: readonly { key_id: string; secret: string; mode: 'live' | 'test'; status: string }[] }
}

export const usualProfile = 'simulator'
export const liveProfileOf = (name: string): string => `${name}-live`

/** How long another simulator may take to say that it is there. */
const answerWithinMs = 1_000

/** The keys to work with, one of either mode. */
export function usableKeys({ world }: Pick<Keyed, 'world'>) {
  const usable = (mode: 'live' | 'test') => world.keys.find((key) => key.mode === mode && key.status === 'active')
  return { test: usable('test'), live: usable('live') }
}

/**
 * The name for the profile of the simulator at this address. The usual one, unless that belongs to a service, or to
 * another simulator that still answers.
 */
export async function profileNameFor(profiles: Profiles, baseUrl: string): Promise<string> {
  const own = ownName(baseUrl)
  for (const name of [usualProfile, own]) if (belongsTo(profiles, name, baseUrl)) return name
  const isFree = ![usualProfile, liveProfileOf(usualProfile)].some((name) => isOfService(profiles, name))
  return isFree && !(await isInUse(profiles, usualProfile)) ? usualProfile : own
}

/** Whether the profile names an address that is not on this machine: its key is a customer's, and is never replaced. */
function isOfService(profiles: Profiles, name: string): boolean {
  const base = profiles.has(name) ? urlOf(profiles.get(name).base_url ?? '') : undefined
  return base !== undefined && !isLoopbackHost(base.hostname)
}

const ownName = (baseUrl: string): string => `${usualProfile}-${urlOf(baseUrl)?.port || '80'}`

const belongsTo = (profiles: Profiles, name: string, baseUrl: string): boolean =>
  profiles.has(name) && profiles.get(name).base_url === baseUrl

/** Whether a simulator answers at the address of the profile. */
async function isInUse(profiles: Profiles, name: string): Promise<boolean> {
  const base = profiles.has(name) ? urlOf(profiles.get(name).base_url ?? '') : null
  if (!base) return false
  const url = new URL('/_sim/health', base)
  return await sendOnce({
    method: 'GET',
    url,
    headers: { Accept: 'application/json' },
    timeoutMs: answerWithinMs,
    totalMs: answerWithinMs,
  }).then(
    // One that other machines can reach asks for a token, and is there all the same.
    ({ status }) => status === 200 || status === 401 || status === 403,
    () => false,
  )
}

/** Saves the keys as profiles of this name, and puts the first in use where no profile is. Returns the profile in use. */
export function saveKeys(profiles: Profiles, running: Keyed, name: string): string | null {
  changeProfiles(profiles, running, name, () => true)
  if (profiles.current === null && usableKeys(running).test) profiles.use(name)
  return profiles.current
}

/** Saves the keys in the profiles that `isReplaced` approves. */
function changeProfiles(
  profiles: Profiles,
  running: Keyed,
  name: string,
  isReplaced: (before?: Profile) => boolean,
): void {
  const { test, live } = usableKeys(running)
  const pairs = [
    [name, test],
    [liveProfileOf(name), live],
  ] as const
  for (const [profile, key] of pairs) {
    if (!key) continue
    const kept = { base_url: running.baseUrl, key_id: key.key_id, secret: key.secret }
    profiles.change(profile, (before) =>
      isReplaced(before)
        ? { ...kept, ...(before?.listen_secret && { listen_secret: before.listen_secret }) }
        : undefined,
    )
  }
}

/** Gives the profiles that were saved from this simulator its present keys. A profile with a key that works stays. */
export function followKeys(profiles: Profiles, running: Keyed): void {
  const works = ({ key_id, secret }: Profile) =>
    running.world.keys.some((key) => key.key_id === key_id && key.secret === secret && key.status === 'active')
  for (const name of [usualProfile, ownName(running.baseUrl)])
    changeProfiles(profiles, running, name, (before) => before?.base_url === running.baseUrl && !works(before))
}
