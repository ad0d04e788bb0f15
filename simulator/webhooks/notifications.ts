/** E-mails that the service would send to an organization's administrators. The simulator only stores them. */
import { pauseAfterFailuresHours } from '../../src/contract/limits.js'
import { toIso } from '../kernel/instant.js'
import type { Endpoint } from '../model/webhooks/endpoint.js'
import type { Tenant } from '../model/world.js'

/** Stores the e-mail about an endpoint that was paused after failing for 24 hours (rule W8). */
export function notifyPaused(
  { world, record: organization, mode, endpoints }: Tenant,
  { n, url, failing_since }: Endpoint,
): void {
  const since = failing_since === null ? '' : ` since ${toIso(failing_since)}`
  world.notifications.add({
    organization: organization.n,
    at: world.now,
    recipients: organization.admins,
    subject: `Webhook endpoint paused: ${url}`,
    body:
      `Every delivery to the ${mode} webhook endpoint ${url} (${endpoints.id(n)}) has failed${since}, for ` +
      `${pauseAfterFailuresHours} hours or more. The endpoint is paused: events are still saved, and not sent. When the ` +
      'receiver works again, resume the endpoint; with resend_skipped, that sends what was skipped meanwhile.',
  })
}
