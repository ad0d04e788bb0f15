/** Names that completion reads from the profile file and from the service. Every failure is an empty list. */
import { authorizationHeader } from '../../client/authorization.js'
import { sendOnce } from '../../client/exchange.js'
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
        candidate(id, `${text(url)} (${text(status)})`),
      ),
    events: async () =>
      (await quietly(() => fromApi('/events?limit=20'))).map(({ id, type, created }) =>
        candidate(id, `${text(type)} ${text(created)}`),
      ),
    snapshots: async () =>
      (await quietly(() => read(`${controlAddress(settings(), env).value}/_sim/snapshots`))).map(({ name, now }) =>
        candidate(name, text(now)),
      ),
  }
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const candidate = (value: unknown, about: string): Candidate => ({ value: text(value), about })

/** Settings may be broken and the service may be away. Neither is worth a message in the middle of a command line. */
const quietly = (ask: () => Promise<Item[]>): Promise<Item[]> => ask().catch(() => [])

async function read(address: string, headers: Readonly<Record<string, string>> = {}): Promise<Item[]> {
  const answer = await sendOnce({
    ...{ method: 'GET', url: new URL(address), headers: { Accept: 'application/json', ...headers } },
    ...{ timeoutMs: answerWithinMs, totalMs: answerWithinMs },
  })
  if (answer.status !== 200) return []
  const { data } = JSON.parse(answer.text) as { data?: unknown }
  return Array.isArray(data) ? (data as Item[]) : []
}
