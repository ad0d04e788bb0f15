/** Start-up message of the simulator. */
import { statusInWords } from '../../output/value-words.js'
import { quoteForShell } from '../input/shell-word.js'
import { liveProfileOf, usableKeys, usualProfile } from './profiles.js'

export interface Running {
  url: string
  baseUrl: string
  controlToken: string | null
  /** True if the world was loaded from the data file. */
  resumed: boolean
  now: string
  data: string
  flags: { 'allow-local-webhooks': boolean; 'no-limits': boolean }
  /** Given flags that apply only to a fresh world. */
  changed: readonly string[]
  world: {
    clock: { speed: number; paused: boolean }
    organization: string
    organization_id: string
    leads: number
    calls: number
    campaigns: readonly { id: string; name: string; status: string }[]
    keys: readonly { key_id: string; secret: string; mode: 'live' | 'test'; status: string }[]
  }
}

function describePace({ speed, paused }: Running['world']['clock']): string {
  if (paused) return ', standing still'
  return speed === 1 ? '' : `, ${speed} seconds in one`
}

/** True if such flags were given but the world was loaded from the data file. */
export const hasNoEffect = ({ resumed, changed }: Running): boolean => resumed && changed.length > 0

export const describeIgnoredFlags = ({ changed }: Running): string =>
  `The data file already holds a world: ${changed.map((flag) => `--${flag}`).join(', ')} changed nothing. --fresh starts a new world.`

/** Where the keys were saved. */
export interface Saved {
  /** Profile of the test key; null if none was saved. */
  name: string | null
  /** The current profile. */
  inUse: string | null
}

/** Note for when the profiles have other names than usual, or were not saved. */
function profilesLine({ name }: Saved): string[] {
  if (name === usualProfile) return []
  if (name === null) return ['  Profiles   none was saved; the next commands take the key from the environment']
  return [`  Profiles   ${name}, ${liveProfileOf(name)} (${usualProfile} belongs to another simulator that is running)`]
}

/** The name in quotes, or the id if the name would need more than quotes in a shell. */
const nameOf = ({ id, name }: { id: string; name: string }): string => (/^[\w .,-]+$/.test(name) ? `"${name}"` : id)

/** Sets what the next commands need and no profile holds: the key if it was not saved, and always the control token. */
function exportLine({ baseUrl, controlToken, world }: Running, { name }: Saved): string[] {
  const { test } = usableKeys({ world })
  const variables = [
    ...(name === null && test
      ? [`SVC_BASE_URL=${baseUrl}`, `SVC_KEY_ID=${test.key_id}`, `SVC_SECRET=${quoteForShell(test.secret)}`]
      : []),
    ...(controlToken ? [`SVC_CONTROL_TOKEN=${quoteForShell(controlToken)}`] : []),
  ]
  return variables.length > 0 ? [`  export ${variables.join(' ')}`] : []
}

export function writeBanner(running: Running, saved: Saved): string {
  const { url, baseUrl, data, world, now, flags, controlToken, resumed } = running
  const { test, live } = usableKeys(running)
  const [campaign] = world.campaigns
  const { name, inUse } = saved
  const profile = name === null || inUse === name ? '' : ` --profile ${name}`
  const exported = exportLine(running, saved)
  const holds = resumed ? `goes on with ${world.leads} leads and ${world.calls} calls` : 'a fresh world'
  const lines = [
    `The simulator is ready: ${world.organization}`,
    '',
    `  Console    ${url}/console/`,
    `  API        ${baseUrl}`,
    `  Control    ${url}/_sim`,
    `  OpenAPI    ${url}/openapi.json`,
    `  Clock      ${now}${describePace(world.clock)}`,
    `  Data       ${data} (${holds})`,
    ...(test ? [`  Test key   ${test.key_id}`, `             ${test.secret}`] : []),
    ...(live ? [`  Live key   ${live.key_id}`, `             ${live.secret}`] : []),
    ...profilesLine(saved),
    ...(campaign
      ? [`  Campaign   ${campaign.name} (${statusInWords(campaign.status)})`, `             ${campaign.id}`]
      : []),
    ...(controlToken ? [`  Token      ${controlToken}   (for /_sim: Authorization: Bearer)`] : []),
    ...(flags['allow-local-webhooks'] ? ['  Webhooks   may go to http: addresses and to this machine'] : []),
    ...(flags['no-limits'] ? ['  Limits     none a minute, none on simultaneous requests'] : []),
    ...(hasNoEffect(running) ? ['', `  ${describeIgnoredFlags(running)}`] : []),
    '',
    'Next, in another terminal:',
    '',
    ...exported,
    `  svc leads add${profile} --campaign ${campaign ? nameOf(campaign) : '<name>'} --phone +15550100001 --name "Test Lead"`,
    `  svc simulate advance${profile} 4m`,
    `  svc leads list${profile}`,
    '',
    'Ctrl-C stops it.',
    '',
  ]
  return lines.join('\n')
}
