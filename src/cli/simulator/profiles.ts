/** Saves a simulator's keys as two profiles: `<name>` for the test key and `<name>-live` for the live key. */
import { sendOnce } from '../../client/exchange.js'
import type { Profile, Profiles } from '../../config/profiles.js'
import { isLoopbackHost, simulatorRoot, urlOf } from '../../url.js'

export interface Keyed {
  baseUrl: string
  world: { keys: readonly { key_id: string; secret: string; mode: 'live' | 'test'; status: string }[] }
}

export const usualProfile = 'simulator'
export const liveProfileOf = (name: string): string => `${name}-live`

/** Timeout for checking whether another simulator is running. */
const answerWithinMs = 1_000

/** One usable key of each mode. */
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

/** True if a simulator answers at the address of the profile. */
async function isInUse(profiles: Profiles, name: string): Promise<boolean> {
  const base = profiles.has(name) ? urlOf(profiles.get(name).base_url ?? '') : null
  if (!base) return false
  const url = new URL(`${simulatorRoot(new URL(base))}/_sim/health`)
  return await sendOnce({
    method: 'GET',
    url,
    headers: { Accept: 'application/json' },
    timeoutMs: answerWithinMs,
    totalMs: answerWithinMs,
  }).then(
    // A simulator that asks for a control token is running, too.
    ({ status }) => status === 200 || status === 401 || status === 403,
    () => false,
  )
}

/** Saves the keys as profiles. Makes the first one current if there is no current profile. Returns the current profile. */
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

/** Updates the profiles that were saved from this simulator with its current keys. Keeps profiles whose key still works. */
export function followKeys(profiles: Profiles, running: Keyed): void {
  const works = ({ key_id, secret }: Profile) =>
    running.world.keys.some((key) => key.key_id === key_id && key.secret === secret && key.status === 'active')
  for (const name of [usualProfile, ownName(running.baseUrl)])
    changeProfiles(profiles, running, name, (before) => before?.base_url === running.baseUrl && !works(before))
}
