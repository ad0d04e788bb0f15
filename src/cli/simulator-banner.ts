/** What a person reads when the simulator has started, and the profiles it leaves behind. */
import type { Profiles } from '../config/profiles.js'

export interface Running {
  url: string
  baseUrl: string
  controlToken: string | null
  /** The world was in the data file before. */
  resumed: boolean
  now: string
  data: string
  flags: { 'allow-local-webhooks': boolean; 'no-limits': boolean }
  /** Flags that describe a fresh world and were given. */
  changed: readonly string[]
  world: {
    clock: { speed: number; paused: boolean }
    organization: string
    leads: number
    calls: number
    campaigns: readonly { id: string; name: string; status: string }[]
    keys: readonly { key_id: string; secret: string; mode: 'live' | 'test'; status: string }[]
  }
}

const testProfile = 'simulator'
const liveProfile = 'simulator-live'

/** As much of it as keys need. */
type Keyed = Pick<Running, 'baseUrl'> & { world: Pick<Running['world'], 'keys'> }

/** The keys to work with, one of either mode. */
export function usableKeys({ world }: Keyed) {
  const usable = (mode: 'live' | 'test') => world.keys.find((key) => key.mode === mode && key.status === 'active')
  return { test: usable('test'), live: usable('live') }
}

/** Saves the keys as profiles; the answer is the profile in use. */
export function rememberKeys(profiles: Profiles, running: Keyed): string | null {
  const { test, live } = usableKeys(running)
  const pairs = [
    [testProfile, test],
    [liveProfile, live],
  ] as const
  for (const [name, key] of pairs) {
    if (!key) continue
    const kept = { base_url: running.baseUrl, key_id: key.key_id, secret: key.secret }
    profiles.change(name, (before) => ({
      ...kept,
      ...(before?.listen_secret && { listen_secret: before.listen_secret }),
    }))
  }
  if (profiles.current === null && test) profiles.use(testProfile)
  return profiles.current
}

/** Keeps those profiles in step with the simulator they were saved from, if they were. */
export function followKeys(profiles: Profiles, running: Keyed): void {
  const isOurs = [testProfile, liveProfile].some(
    (name) => profiles.has(name) && profiles.get(name).base_url === running.baseUrl,
  )
  if (isOurs) rememberKeys(profiles, running)
}

function paceInWords({ speed, paused }: Running['world']['clock']): string {
  if (paused) return ', standing still'
  return speed === 1 ? '' : `, ${speed} seconds in one`
}

/** Whether flags were given that describe a fresh world, and the world is another. */
export const hasNoEffect = ({ resumed, changed }: Running): boolean => resumed && changed.length > 0

export const noEffect = ({ changed }: Running): string =>
  `The data file holds a world already: ${changed.map((flag) => `--${flag}`).join(', ')} changed nothing. --fresh begins anew.`

export function banner(running: Running, inUse: string | null): string {
  const { url, baseUrl, data, world, now, flags, controlToken, resumed } = running
  const { test, live } = usableKeys(running)
  const [campaign] = world.campaigns
  const profile = inUse === testProfile ? '' : ` --profile ${testProfile}`
  const holds = resumed ? `goes on with ${world.leads} leads and ${world.calls} calls` : 'a fresh world'
  const lines = [
    `The simulator is ready: ${world.organization}`,
    '',
    `  API        ${baseUrl}`,
    `  Control    ${url}/_sim          OpenAPI  ${url}/openapi.json`,
    `  Clock      ${now}${paceInWords(world.clock)}`,
    `  Data       ${data} (${holds})`,
    ...(test ? [`  Test key   ${test.key_id}   ${test.secret}`] : []),
    ...(live ? [`  Live key   ${live.key_id}   ${live.secret}`] : []),
    ...(campaign ? [`  Campaign   ${campaign.id}   ${campaign.name} (${campaign.status})`] : []),
    ...(controlToken ? [`  Token      ${controlToken}   (for /_sim: Authorization: Bearer)`] : []),
    ...(flags['allow-local-webhooks'] ? ['  Webhooks   may go to http: addresses and to this machine'] : []),
    ...(flags['no-limits'] ? ['  Limits     none a minute, none on simultaneous requests'] : []),
    ...(hasNoEffect(running) ? ['', `  ${noEffect(running)}`] : []),
    '',
    'Next, in another terminal:',
    '',
    `  svc leads add${profile} --campaign ${campaign?.id ?? '<id>'} --phone +15550100001 --name "Test Lead"`,
    `  svc simulate advance${profile} 4m`,
    `  svc leads list${profile}`,
    '',
    'Ctrl-C stops it.',
    '',
  ]
  return lines.join('\n')
}
