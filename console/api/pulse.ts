/** The live feed: reads the pulse of the chosen organization and mode, and reconnects when it breaks off. */
import { batch, computed, effect, signal } from '@preact/signals'
import type { Pulse } from '../../src/contract/control/pulse.js'
import { base, needsToken, requestOf, send, RequestError } from './request.js'
import { scope } from './place.js'

export const pulse = signal<Pulse | null>(null)
/** `gone`: the world was deleted, so there is nothing to connect to. */
export type Connection = 'connecting' | 'open' | 'lost' | 'gone'
export const connection = signal<Connection>('connecting')
/** Increases when shown data may be out of date. */
export const changes = signal(0)

/** Simulated time of the last pulse, and when it arrived by the clock of the browser. */
let heard = { at: 0, now: 0 }

/** The simulated time in milliseconds, carried on between pulses while the clock runs. */
export const now = signal(0)
/** Whether the page is out of sight, in another tab for example. It reads nothing meanwhile. */
const isHidden = signal(document.hidden)
document.addEventListener('visibilitychange', () => (isHidden.value = document.hidden))

setInterval(() => {
  const last = pulse.peek()
  if (isHidden.peek() || !last || last.paused || last.push || connection.value !== 'open') return
  now.value = heard.now + (performance.now() - heard.at) * last.speed
}, 500)

export const isPushing = computed(() => (pulse.value?.push ?? null) !== null)

const settleMs = 600
const reloadMs = 1_500
/** While time is pushed, reading again would slow the push down. */
const reloadWhilePushingMs = 3_000
let reload: ReturnType<typeof setTimeout> | undefined
let reloadedAt = -Infinity

/** Marks shown data as out of date, at most every 1.5 seconds, or 3 while time is pushed. */
function noteChange(): void {
  if (reload !== undefined) return
  const between = isPushing.peek() ? reloadWhilePushingMs : reloadMs
  const wait = Math.max(settleMs, reloadedAt + between - performance.now())
  reload = setTimeout(refresh, wait)
}

/** Marks shown data as out of date at once, after an action. */
export function refresh(): void {
  clearTimeout(reload)
  reload = undefined
  reloadedAt = performance.now()
  changes.value++
}

const signs = ['feed_count', 'request_count', 'change_count', 'next_at'] as const
const hasChanged = (last: Pulse, next: Pulse): boolean => signs.some((sign) => last[sign] !== next[sign])

function take(next: Pulse): void {
  const last = pulse.peek()
  const wasLost = connection.peek() === 'lost'
  batch(() => {
    connection.value = 'open'
    pulse.value = next
    heard = { at: performance.now(), now: Date.parse(next.now) }
    now.value = heard.now
  })
  if (wasLost || (last && last.run !== next.run)) refresh()
  else if (!last || hasChanged(last, next)) noteChange()
  else if (last.push !== null && next.push === null) noteChange()
}

/** Shows the clock of a reply at once. What is due next is known with the next pulse. */
export function showClock(clock: Pick<Pulse, 'now' | 'speed' | 'paused'>): void {
  const last = pulse.peek()
  if (!last) return
  const { now: at, speed, paused } = clock
  heard = { at: performance.now(), now: Date.parse(at) }
  batch(() => {
    pulse.value = { ...last, now: at, speed, paused, next_at: null }
    now.value = heard.now
  })
}

async function follow(query: object, signal: AbortSignal): Promise<void> {
  const response = await send(requestOf('pulse', { query }).path, { signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  while (reader) {
    const { value, done } = await reader.read()
    if (done) return
    const blocks = (rest + value).split('\n\n')
    rest = blocks.pop() ?? ''
    const data = blocks.at(-1)?.split('\ndata: ')[1]
    if (data !== undefined) take(JSON.parse(data) as Pulse)
  }
}

const retryMs = 1_000
const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

async function keepFollowing(query: object, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await follow(query, signal)
    } catch (error) {
      if (error instanceof RequestError && error.status === 401) return
      if (error instanceof RequestError && error.status === 404 && base !== '') {
        connection.value = 'gone'
        return
      }
    }
    if (signal.aborted) return
    connection.value = 'lost'
    await sleep(retryMs)
  }
}

/** Follows the pulse from now on. */
export function startFollowing(): void {
  effect(() => {
    const query = scope.value
    if (needsToken.value || isHidden.value) return undefined
    const stop = new AbortController()
    void keepFollowing(query, stop.signal)
    return () => stop.abort()
  })
}
