/** Where the page is: the screen, the item, the filters, the organization and the mode. All of it is in the address. */
import { computed, signal } from '@preact/signals'
import { base } from './request.js'

export const screens = ['now', 'leads', 'webhooks', 'requests', 'world', 'figures'] as const
export type Screen = (typeof screens)[number]

interface Place {
  screen: Screen
  /** The lead, or the delivery, that the screen shows. */
  id: string | null
  query: URLSearchParams
}

function read(): Place {
  const [name = '', id = ''] = location.pathname.slice(`${base}/console/`.length).split('/')
  const screen = screens.find((one) => one === name) ?? 'now'
  return { screen, id: id === '' ? null : decoded(id), query: new URLSearchParams(location.search) }
}

/** A part of the address that is not well-formed stays as it is. Then there is no such item. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export const place = signal<Place>(read())
addEventListener('popstate', () => (place.value = read()))

export type Mode = 'live' | 'test'
export const mode = computed<Mode>(() => (place.value.query.get('mode') === 'test' ? 'test' : 'live'))
/** The id of the organization; undefined for the first one. */
export const organizationId = computed(() => place.value.query.get('org') ?? undefined)
/** The query parameters that select the organization and the mode. */
export const scope = computed(() => ({ mode: mode.value, organization_id: organizationId.value }))

export interface To {
  screen?: Screen
  id?: string | null
  /** Filters. Null removes one. Without a screen, the others stay. */
  set?: Record<string, string | null>
}

/** The address of another place. The organization and the mode stay unless they are set. */
export function addressOf({ screen, id = null, set = {} }: To): string {
  const now = place.value
  const query = new URLSearchParams(screen === undefined ? now.query : undefined)
  for (const kept of ['mode', 'org']) {
    const value = now.query.get(kept)
    if (value !== null) query.set(kept, value)
  }
  for (const [key, value] of Object.entries(set)) {
    if (value === null || value === '') query.delete(key)
    else query.set(key, value)
  }
  const path = screen === undefined ? location.pathname : pathOf(screen, id)
  const search = query.toString()
  return search === '' ? path : `${path}?${search}`
}

function pathOf(screen: Screen, id: string | null): string {
  if (screen === 'now') return `${base}/console/`
  return `${base}/console/${screen}${id === null ? '' : `/${encodeURIComponent(id)}`}`
}

/** Goes to an address of the console. `replace` adds no entry to the history. */
export function goTo(address: string, { replace = false } = {}): void {
  const isSamePath = new URL(address, location.href).pathname === location.pathname
  history[replace ? 'replaceState' : 'pushState'](null, '', address)
  place.value = read()
  if (!isSamePath) {
    scrollTo(0, 0)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }
}
