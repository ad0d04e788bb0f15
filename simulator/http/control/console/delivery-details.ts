/** Serves one delivery with its request, its attempts and advice. */
import type { FailureReason, WebhookFaultName } from '../../../../src/contract/enums.js'
import { webhookHeaders } from '../../../../src/webhooks/headers.js'
import { sign } from '../../../../src/webhooks/sign.js'
import { toIso, type Instant } from '../../../kernel/instant.js'
import { simulatedDelivery } from '../../../model/serialize/resources.js'
import type { Delivery } from '../../../model/webhooks/delivery.js'
import type { Tenant } from '../../../model/world.js'
import { nextAttemptAt, requestOfDelivery } from '../../../webhooks/attempts.js'
import { replyOk, type ControlHandlers } from '../../handler.js'
import { inAnyTenant, type ControlContext } from '../context.js'

export function deliveryDetailHandlers(context: ControlContext): Pick<ControlHandlers, 'getDelivery'> {
  const { steps, machine } = context
  return {
    getDelivery: ({ params }) =>
      steps.read(() => {
        const found = inAnyTenant(context, 'delivery', ({ deliveries }) => deliveries.byId(params.id))
        const { tenant, row: delivery } = found
        return replyOk({
          ...simulatedDelivery(tenant, delivery),
          url: tenant.endpoints.get(delivery.endpoint)?.url ?? '',
          tries: tenant.deliveries.attemptsOf(delivery).map(({ delivery: _n, at, error, fault, ...attempt }) => ({
            ...attempt,
            at: toIso(at),
            duration_ms: Math.round(attempt.duration_ms),
            error: error as FailureReason | null,
            fault: fault as WebhookFaultName | null,
          })),
          retries_at: retriesOf(delivery).map(toIso),
          hint: hintFor(delivery),
          request: requestOf(tenant, delivery, Math.floor(machine.now() / 1_000)),
        })
      }),
  }
}

function requestOf(tenant: Tenant, delivery: Delivery, at: number) {
  const request = requestOfDelivery(tenant, delivery)
  if (!request) return null
  const body = request.body.toString('utf8')
  const signature = sign({ body: request.body, secrets: request.secrets(), at })
  return { headers: { ...request.headers, [webhookHeaders.signature]: signature }, body }
}

/** When attempts follow if each one fails at once. */
function retriesOf({ next_attempt_at, first_attempt_at, attempts, status }: Delivery): Instant[] {
  if (next_attempt_at === null || (status !== 'failed' && status !== 'pending')) return []
  const times: Instant[] = []
  let next: Instant | null = next_attempt_at
  for (let done = attempts + 1; next !== null; done++) {
    times.push(next)
    next = nextAttemptAt(first_attempt_at ?? next, done, next)
  }
  return times
}

const hints: Readonly<Record<FailureReason, string>> = {
  refused: 'Nothing listens at this address. Start the receiver, then resend.',
  tls: 'The TLS connection failed. Check the certificate of the receiver.',
  timeout: 'The receiver did not answer in time. Answer first, and do the work after that.',
  not_http: 'The receiver did not answer with HTTP. Check the port and whether it expects https.',
  too_large: 'The head of the answer is too large.',
  network_error: 'The connection broke before the answer. Check the receiver, then resend.',
}

function hintFor({ status, error, response_status: answer, fault }: Delivery): string | null {
  if (status === 'sent') return null
  if (status === 'skipped_paused') return 'The endpoint is paused. Resume it, and send the skipped deliveries again.'
  if (fault === 'drop') return 'An injected fault dropped this attempt. Remove the fault, then resend.'
  if (error !== null) return hints[error as FailureReason]
  if (answer === null) return null
  if (answer === 401 || answer === 403) return 'The receiver refused the request. Check the secret it verifies with.'
  if (answer === 404) return 'The receiver has nothing at this path. Check the URL of the endpoint.'
  if (answer >= 300 && answer < 400) return 'Redirects are not followed. Use the final URL.'
  if (answer >= 500) return 'The receiver failed. Read its log, then resend.'
  return 'The receiver must answer with a status from 200 to 299.'
}
