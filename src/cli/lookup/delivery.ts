/** Finds a webhook delivery by its id or the beginning of it. The API lists deliveries by endpoint. */
import type { Client, Contract } from '../../client/client.js'
import { pageSizeMax } from '../../contract/limits.js'
import type { Delivery } from '../../contract/deliveries.js'
import { NoMatchError } from '../errors/exit-codes.js'
import { ambiguous, isId, isShortId, startOfId } from './matches.js'

/** Pages of each endpoint that are read, newest first. */
const pagesMost = 3

/**
 * Finds a recent delivery of any endpoint. `isLoose`: a person at a terminal may give the id as tables shorten it.
 * Undefined if the text is an endpoint: its id, or no id at all. Throws `NoMatchError` for the id of nothing recent.
 */
export async function findDelivery(
  client: Client<Contract>,
  id: string,
  isLoose: boolean,
): Promise<Delivery | undefined> {
  const isWhole = isId(id)
  if (!isWhole && !(isLoose && isShortId(id))) return undefined
  const { body } = await client.call('listWebhookEndpoints', {})
  if (body.data.some((endpoint) => endpoint.id.startsWith(startOfId(id)))) return undefined
  const found: Delivery[] = []
  for (const endpoint of body.data) {
    found.push(...(await latestDeliveries(client, endpoint.id, id)))
    if (isWhole && found[0]) return found[0]
  }
  const [delivery] = onlyOne(id, found)
  if (delivery || !isWhole) return delivery
  throw new NoMatchError(
    `There is no recent delivery ${id}, and no endpoint.`,
    'svc webhooks list shows the endpoints, and svc webhooks deliveries <endpoint> what was sent to one.',
  )
}

/** The whole id of a delivery of this endpoint that a person gave as tables shorten it; the text itself if none has it. */
export async function wholeDeliveryId(client: Client<Contract>, endpoint: string, text: string): Promise<string> {
  if (!isShortId(text)) return text
  const [delivery] = onlyOne(text, await latestDeliveries(client, endpoint, text))
  return delivery?.id ?? text
}

/** The latest deliveries of an endpoint whose id begins like this. */
async function latestDeliveries(client: Client<Contract>, endpoint: string, start: string): Promise<Delivery[]> {
  const found: Delivery[] = []
  let pages = 0
  for await (const page of client.pages('listDeliveries', {
    params: { id: endpoint },
    query: { limit: pageSizeMax },
  })) {
    found.push(...page.body.data.filter(({ id }) => id.startsWith(startOfId(start))))
    if (++pages === pagesMost || (isId(start) && found.length > 0)) break
  }
  return found
}

function onlyOne(typed: string, found: Delivery[]): Delivery[] {
  if (found.length < 2) return found
  const listed = found.map(({ id, event_type, created }) => `${id}  ${event_type}, ${created}`)
  throw ambiguous(`Delivery ${JSON.stringify(typed)}`, 'deliveries', listed)
}
