/** Serves recorded requests, e-mails and deliveries. */
import { toIso } from '../../kernel/instant.js'
import { simulatedDelivery } from '../../model/serialize/resources.js'
import { deliveriesOfAll } from '../../model/webhooks/delivery.js'
import type { ControlHandlers } from '../handler.js'
import type { ControlContext } from './context.js'

type RecordHandlers = Pick<ControlHandlers, 'listRequests' | 'listNotifications' | 'listAllDeliveries'>

export function recordHandlers({ world, steps, log }: ControlContext): RecordHandlers {
  const { notifications, organizations, store } = world
  const list = <T>(data: T[]) => ({ status: 200 as const, body: { data } })
  return {
    listRequests: ({ query }) => list(log.list(query)),
    listNotifications: () =>
      steps.read(() =>
        list(
          notifications.all().map(({ n, at, organization, recipients, subject, body }) => {
            const organization_id = organizations.get(organization).id
            return { id: notifications.id(world.ids, n), at: toIso(at), organization_id, to: recipients, subject, body }
          }),
        ),
      ),
    listAllDeliveries: ({ query: { status, limit } }) =>
      steps.read(() =>
        list(deliveriesOfAll(store, status, limit).map((row) => simulatedDelivery(world.tenant(row.tenant), row))),
      ),
  }
}
