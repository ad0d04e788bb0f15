/** E-mails to the administrators of an organization (rule W8). */
import { pauseAfterFailuresHours } from '../../src/contract/limits.js'
import { toIso } from '../kernel/instant.js'
import type { Endpoint } from '../model/webhooks/endpoint.js'
import type { Tenant } from '../model/world.js'

/** Records the e-mail about an endpoint that the service paused. */
export function notifyPaused({ world, record, mode, endpoints }: Tenant, { n, url, failing_since }: Endpoint): void {
  const since = failing_since === null ? '' : ` since ${toIso(failing_since)}`
  world.notifications.add({
    organization: record.n,
    at: world.now,
    recipients: record.admins,
    subject: `Webhook endpoint paused: ${url}`,
    body:
      `Every delivery to the ${mode} webhook endpoint ${url} (${endpoints.id(n)}) has failed${since}, for ` +
      `${pauseAfterFailuresHours} hours or more. The endpoint is paused: events are still saved, and not sent. When the ` +
      'receiver works again, resume the endpoint; resend_skipped sends what was skipped meanwhile.',
  })
}
