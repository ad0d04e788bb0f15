/** Checks that every object of a reply has the mode of the key (rules C6, K2 and W11). */
import type { Endpoint } from '../../contract/base/endpoint.js'
import type { Mode } from '../../contract/base/identifiers.js'
import type { Note } from './exchange.js'

/** Replies with samples, which are never live, among others. */
const withSamples = ['webhook_endpoints.list_deliveries', 'webhook_endpoints.resend_delivery']

export function checkLivemode({ id }: Endpoint, body: unknown, mode: Mode, note: Note): void {
  const live = mode === 'live'
  if (live && withSamples.includes(id)) return
  const expected = live && id !== 'webhook_endpoints.test'
  const rule = id === 'webhook_endpoints.test' ? 'W11' : 'C6'
  visit(body, 'body', (at, value) => {
    const { livemode, mode: own } = value
    if (typeof livemode === 'boolean' && livemode !== expected)
      note(`${at}.livemode`, `${livemode} for a ${mode} key`, rule)
    if (id.startsWith('webhook_endpoints.') && (own === 'live' || own === 'test') && own !== mode) {
      note(`${at}.mode`, `${own} for a ${mode} key`, 'K2')
    }
    if (id === 'events.list' && at.endsWith('.data.object') && !('object' in value)) {
      checkLeadInEvent(`${at}.livemode`, livemode, live, note)
    }
  })
}

/** A lead inside a live event leaves `livemode` out. */
function checkLeadInEvent(at: string, livemode: unknown, live: boolean, note: Note): void {
  if (live && livemode !== undefined) note(at, 'present on a lead inside a live event', 'C6')
  if (!live && livemode === undefined) note(at, 'missing on a lead inside a test event', 'C6')
}

/** Calls back for every object in a JSON value, with its path. */
function visit(value: unknown, at: string, look: (at: string, value: Record<string, unknown>) => void): void {
  if (Array.isArray(value)) return value.forEach((item, index) => visit(item, `${at}[${index}]`, look))
  if (typeof value !== 'object' || value === null) return
  look(at, value as Record<string, unknown>)
  for (const [name, part] of Object.entries(value)) visit(part, at === 'body' ? `body ${name}` : `${at}.${name}`, look)
}
