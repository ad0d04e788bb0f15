/** Finds a webhook delivery by its id only. The API lists deliveries by endpoint. */
import type { Client, Contract } from '../../client/client.js'
import { pageSizeMax } from '../../contract/limits.js'
import type { Delivery } from '../../contract/deliveries.js'
import { NoMatchError } from '../errors/exit-codes.js'
import { isId } from './matches.js'

/** Pages of each endpoint that are read, newest first. */
const pagesMost = 3

/** Undefined if the text is an endpoint: its id, or no id at all. Throws `NoMatchError` for the id of nothing recent. */
export async function findDelivery(client: Client<Contract>, id: string): Promise<Delivery | undefined> {
  if (!isId(id)) return undefined
  const { body } = await client.call('listWebhookEndpoints', {})
  if (body.data.some((endpoint) => endpoint.id === id)) return undefined
  for (const endpoint of body.data) {
    let pages = 0
    const query = { limit: pageSizeMax }
    for await (const page of client.pages('listDeliveries', { params: { id: endpoint.id }, query })) {
      const found = page.body.data.find((delivery) => delivery.id === id)
      if (found) return found
      if (++pages === pagesMost) break
    }
  }
  throw new NoMatchError(
    `There is no recent delivery ${id}, and no endpoint.`,
    'svc webhooks list shows the endpoints, and svc webhooks deliveries <endpoint> what was sent to one.',
  )
}
