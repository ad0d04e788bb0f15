/** Checks of the second attempt of a delivery, a minute after the first (rules W3 and W6). */
import type { Delivery } from '../../contract/deliveries.js'
import { webhookHeaders } from '../../webhooks/headers.js'
import type { Check } from '../check.js'
import { cannotAsk, equals, expects, page } from '../expect.js'
import { headerOf } from '../fixtures/endpoints.js'
import { deploymentNow } from '../fixtures/leads.js'
import { failedDelivery, ofDelivery, signed } from '../fixtures/samples.js'
import type { Session } from '../session.js'

const retryWithinMs = 75_000
/** A retry this long after its time is missing. */
const lateMs = 10_000

export const retryChecks: readonly Check[] = [
  {
    rule: 'W6',
    group: 'webhooks',
    title: 'The retry is attempt 2 of the same delivery, with the same bytes',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { first, received, reply } = await retried(session)
      equals(reply, `${webhookHeaders.attempt} of the retry`, headerOf(received, webhookHeaders.attempt), '2')
      expects(reply, received.body.equals(first.body), 'the same bytes')
    },
  },
  {
    rule: 'W3',
    group: 'webhooks',
    title: 'A retry is signed as well',
    needs: ['webhooks:write', 'webhooks:read', 'leads:read'],
    run: async (session) => {
      const { received, reply, to } = await retried(session)
      signed(reply, received, [to.endpoint.secret])
    },
  },
]

/** Waits for the retry of the failed delivery if it is near, or if the run may take minutes. */
const retried = (session: Session) => session.keep('the retry', () => waitForRetry(session))

async function waitForRetry(session: Session) {
  const { to, delivery, reply, sentAt } = await failedDelivery(session)
  const { clock, stop } = session.options.requester.options
  const isOf = ofDelivery(delivery.id)
  const attempts = () => to.receiver.received.filter(isOf)
  const left = sentAt + retryWithinMs - clock.now()
  // Without limits a run is over in seconds. The retry of a sped-up simulator is there by now.
  const wait = session.options.slow || left < 45_000 ? Math.max(left, 0) : 0
  const received = await to.receiver.wait(
    (one) => isOf(one) && headerOf(one, webhookHeaders.attempt) !== '1',
    wait,
    stop.signal,
  )
  const [first] = attempts()
  if (received && first) return { to, first, received, reply }
  if (session.options.slow || left < 45_000) {
    const list = await session.get(`/webhook_endpoints/${to.endpoint.id}/deliveries`)
    const state = page<Delivery>(list).items.find(({ id }) => id === delivery.id)
    const due = Date.parse(state?.next_attempt_at ?? '')
    // The deployment's clock may stand still, or run slower than this machine's.
    if (state?.attempts === 1 && (await deploymentNow(session)) < due + lateMs) cannotAsk('the retry is not due yet')
    expects(list, attempts().length > 1, 'a retry after a minute')
  }
  return cannotAsk('the retry comes after a minute; add --slow')
}
