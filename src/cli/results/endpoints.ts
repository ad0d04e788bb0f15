/** Sentences that say what a command did with a webhook endpoint, and what to do next. */
import type { WebhookEndpoint, WebhookEndpointResumed } from '../../contract/webhook-endpoints.js'
import { listWords } from './words.js'
import { fullTime, localZone } from '../../output/time.js'

/** More types than this are counted. */
const namedTypesMax = 4

const describeTypes = (types: readonly string[]): string =>
  types.length <= namedTypesMax ? listWords(types) : `${types.length} types of events`

export const describeCreated = ({ url, events, id }: WebhookEndpoint): string =>
  `${url} gets ${describeTypes(events)} from now on. Copy the secret to your server: it is not shown again.\n` +
  `Test it: svc webhooks test ${id} --event ${events[0] ?? 'call.completed'}`

export const describeChanged = ({ url, events, status }: WebhookEndpoint): string =>
  `The endpoint was changed: ${url} gets ${describeTypes(events)}${status === 'paused' ? ' once it is resumed' : ''}.`

export const describeDeleted = (url: string): string =>
  `The endpoint ${url} and the history of its deliveries were deleted.`

export const describePaused = ({ url, id }: WebhookEndpoint): string =>
  `Nothing is sent to ${url} until it is resumed. Its events are kept.\n` +
  `Resume it: svc webhooks resume ${id} --resend-skipped`

export const describeResumed = ({ url, id, resent }: WebhookEndpointResumed): string =>
  resent === 0
    ? `New events are sent to ${url} again.`
    : `New events are sent to ${url} again, and ${resent} skipped ${resent === 1 ? 'event' : 'events'} as well.\n` +
      `See the answers: svc webhooks deliveries ${id}`

export function describeRolled({ url, previous_secret_expires_at: until }: WebhookEndpoint): string {
  const both =
    until === null
      ? 'The old secret does not sign any more.'
      : `The old secret signs too until ${fullTime(until, { utc: false })} ${localZone()}.`
  return `${url} has a new secret. ${both} Copy the new one to your server: it is not shown again.`
}

export const describeSending = (type: string, url: string, endpoint: string): string =>
  `${type} is on its way to ${url}.\nSee the answer: svc webhooks deliveries ${endpoint} --limit 1`
