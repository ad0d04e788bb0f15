/** Names that completion reads from the profile file and from the service. Every failure is an empty list. */
import { fullTime } from '../../output/time.js'
import { statusInWords } from '../../output/value-words.js'
import { authorizationHeader } from '../../client/authorization.js'
import { sendOnce } from '../../client/exchange.js'
import { systemClock } from '../../client/system-clock.js'
import { routes } from '../../client/routes.js'
import { fillPath } from '../../client/url.js'
import { pageSizeMax } from '../../contract/limits.js'
import type { IO } from '../../config/environment.js'
import { Profiles } from '../../config/profiles.js'
import { resolveSettings } from '../../config/settings.js'
import { controlAddress } from '../simulator/control-address.js'
import type { Candidate, Names } from './candidates.js'

/** A person waits for the answer with a finger on Tab. */
const answerWithinMs = 300

type Item = Readonly<Record<string, unknown>>

export function namesFrom({ env, configFolder }: IO, given: ReadonlyMap<string, string>): Names {
  const settings = () => {
    const flags = { profile: given.get('profile'), 'base-url': given.get('base-url') }
    return resolveSettings({ flags, env, profiles: Profiles.open(configFolder) })
  }
  const fromApi = async (path: string): Promise<Item[]> => {
    const { baseUrl, keyId, secret } = settings()
    if (!secret) return []
    const key = { id: keyId?.value, secret: secret.value }
    return read(baseUrl.value + path, { Authorization: authorizationHeader(key) })
  }
  const fromControl = (path: string) => read(`${controlAddress(settings(), env).value}/_sim${path}`)
  const organizations = () => quietly(() => fromControl('/world'))
  return {
    profiles: () => {
      try {
        return Profiles.open(configFolder).names.map((value) => ({ value, about: '' }))
      } catch {
        return []
      }
    },
    campaigns: async () =>
      (await quietly(() => fromApi(`/campaigns?limit=${pageSizeMax}`))).map(({ id, name, status }) => ({
        ...{ id: text(id), name: text(name), status: text(status) },
      })),
    endpoints: async () =>
      (await quietly(() => fromApi('/webhook_endpoints'))).map(({ id, url, status }) =>
        candidate(id, words(url, status)),
      ),
    deliveries: async (endpoint) =>
      (await quietly(() => fromApi(`${fillPath(routes.listDeliveries.path, { id: endpoint })}?${recent}`))).map(
        ({ id, event_type, status, created }) => candidate(id, words(event_type, status, when(created))),
      ),
    events: async () => {
      const { leadOfEvent } = await import('../../output/columns/resources.js')
      return (await quietly(() => fromApi(`/events?${recent}`))).map((event) =>
        candidate(event['id'], words(event['type'], leadOfEvent(event), when(event['created']))),
      )
    },
    leads: async (typed) => {
      const leads = await quietly(() => readLeads(fromApi, typed.toLowerCase()))
      const isOnlyOne = (phone: unknown) => leads.filter((one) => one['phone'] === phone).length === 1
      return leads.map(({ id, name, phone, status }) => {
        const byId = candidate(id, words(text(name) || phone, status))
        // A name may be typed at a terminal, and so may the beginning of an id.
        const others = [...(text(name) === '' ? [] : [candidate(name, words(phone, status))]), byId]
        return { ...(isOnlyOne(phone) ? candidate(phone, words(name, status)) : byId), others }
      })
    },
    externalIds: async () =>
      (await quietly(() => fromApi(`/leads?${recent}`)))
        .filter(({ external_id }) => typeof external_id === 'string')
        .map(({ external_id, name, phone }) => candidate(external_id, text(name) || text(phone))),
    calls: async () =>
      (await quietly(() => fromApi(`/calls?${recent}`))).map(({ id, lead, outcome, status, started }) =>
        candidate(id, `${whoOf(lead)}: ${statusInWords(text(outcome) || text(status))}, ${when(started)}`),
      ),
    dncEntries: async () =>
      (await quietly(() => fromApi(`/dnc?${recent}`))).map(({ phone, source }) => candidate(phone, text(source))),
    snapshots: async () =>
      (await quietly(() => fromControl('/snapshots'))).map(({ name, now }) => candidate(name, when(now))),
    worlds: async () => (await quietly(() => fromControl('/worlds'))).map(({ id, name }) => candidate(id, text(name))),
    organizations: async () => (await organizations()).map(({ id, name }) => candidate(id, text(name))),
    keys: async () =>
      (await organizations())
        .flatMap(({ keys }) => (Array.isArray(keys) ? (keys as Item[]) : []))
        .map(({ key_id, name, status }) => candidate(key_id, words(name, status))),
  }
}

/** How many of the newest objects are offered. */
const recentMax = 50
const recent = `limit=${recentMax}`

function whoOf(lead: unknown): string {
  const { name, phone } = (lead ?? {}) as Item
  return text(name) || text(phone)
}

/** Pages of 100 leads that are read for a typed beginning. */
const leadPagesMax = 5

/** The newest leads, and older ones if none of them begins with the typed text, as far as the time allows. */
async function readLeads(fromApi: (path: string) => Promise<Item[]>, typed: string): Promise<Item[]> {
  const end = systemClock.now() + answerWithinMs
  const isMeant = (lead: Item) =>
    [lead['name'], lead['phone'], lead['id']].some((word) => text(word).toLowerCase().startsWith(typed))
  const first = await fromApi(`/leads?${recent}`)
  if (typed === '' || first.some(isMeant) || first.length < recentMax) return first
  let last = first.at(-1)
  for (let page = 1; page <= leadPagesMax && last !== undefined && systemClock.now() < end; page++) {
    const older = await fromApi(`/leads?limit=${pageSizeMax}&starting_after=${encodeURIComponent(text(last['id']))}`)
    const found = older.filter(isMeant)
    if (found.length > 0) return found
    last = older.length < pageSizeMax ? undefined : older.at(-1)
  }
  return first
}

/** A local time without seconds; empty if it is none. */
const when = (value: unknown): string =>
  text(value) === '' ? '' : fullTime(text(value), { utc: false }).replace(/:\d\d$/, '')

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
/** What a shell shows in parentheses after the word: `Ann, done`. */
const words = (...parts: readonly unknown[]): string => parts.map(text).filter(Boolean).map(statusInWords).join(', ')
const candidate = (value: unknown, about: string): Candidate => ({ value: text(value), about })

/** Settings may be broken and the service may be away. Neither is worth a message in the middle of a command line. */
const quietly = async (ask: () => Promise<Item[]>): Promise<Item[]> => {
  try {
    return await ask()
  } catch {
    return []
  }
}

async function read(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Item[]> {
  const answer = await sendOnce({
    ...{ method: 'GET', url: new URL(address), headers: { Accept: 'application/json', ...headers } },
    ...{ timeoutMs: answerWithinMs, totalMs: answerWithinMs },
  })
  if (answer.status !== 200) return []
  const { data } = JSON.parse(answer.text) as { data?: unknown }
  if (Array.isArray(data)) return data as Item[]
  // The world is one object with its organizations.
  const { organizations } = (data ?? {}) as Item
  return Array.isArray(organizations) ? (organizations as Item[]) : []
}
