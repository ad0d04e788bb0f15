/** The webhook endpoint that a command is about: given by id or address, or picked from a list. */
import * as Args from '@oclif/core/args'
import type { Client, Contract } from '../../client/client.js'
import { ApiError } from '../../client/errors.js'
import type { SvcCommand } from '../base/command.js'
import { endpointChoices } from '../input/questions/choices.js'

export const endpointArg = () =>
  Args.string({
    description: 'Endpoint: its id or address (required)',
    ignoreStdin: true,
  })

/** Returns the id of the endpoint. Asks for it if it is not given. */
export async function findEndpoint(
  command: SvcCommand,
  client: Client<Contract>,
  given: string | undefined,
): Promise<string> {
  const choices = () => endpointChoices(client)
  const hint = 'svc webhooks list shows the endpoints.'
  const ifNone = 'There is no webhook endpoint yet: svc webhooks create makes one.'
  const need = { flag: '<endpoint>', label: 'Endpoint', value: given, choices, hint, ifNone }
  const [endpoint = ''] = await command.promptForMissing(need)
  return (await command.lookup(client)).endpoint(endpoint)
}

/** The address of an endpoint, for questions and sentences; the id if the key may not read it. */
export async function nameEndpoint(client: Client<Contract>, id: string): Promise<string> {
  try {
    return (await client.call('getWebhookEndpoint', { params: { id } })).body.data.url
  } catch (error) {
    if (error instanceof ApiError) return id
    throw error
  }
}

/** The next step after a request that a paused endpoint refuses. `id` is known after the endpoint was found. */
export const stepsIfPaused = (id: string | undefined): Readonly<Record<string, string>> =>
  id === undefined ? {} : { endpoint_paused: `svc webhooks resume ${id}` }
