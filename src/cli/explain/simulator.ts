/** Asks a simulator for the explanation of a lead. */
import { Client } from '../../client/client.js'
import { ApiError, ConnectionError, NotTheApiError } from '../../client/errors.js'
import { Transport, type TransportOptions } from '../../client/transport.js'
import { control, type Control } from '../../contract/control.js'
import type { Explanation } from '../../contract/control/explain.js'
import { urlOf } from '../../url.js'
import { pastMoment, type WhatIf } from './what-if.js'

/** Undefined if the service is not a simulator; `guarded` if it is one that asks for its control token. */
export type SimulatorAnswer = Explanation | 'guarded' | undefined

/**
 * Asks without a token first, so that the token goes to a simulator only. Asks only http: addresses, because a simulator
 * has no https:.
 */
export async function explainAtSimulator(
  options: Omit<TransportOptions, 'key'>,
  id: string,
  whatIf: WhatIf,
  token?: { value: string; checkAddress: () => void },
): Promise<SimulatorAnswer> {
  if (urlOf(options.baseUrl)?.protocol !== 'http:') return undefined
  const answer = await ask(options, id, whatIf)
  if (answer !== 'guarded' || token === undefined) return answer
  token.checkAddress()
  return ask({ ...options, key: { secret: token.value } }, id, whatIf)
}

async function ask(options: TransportOptions, id: string, { at, campaignHours }: WhatIf): Promise<SimulatorAnswer> {
  const client = new Client<Control>(control, new Transport({ ...options, idempotent: false }))
  try {
    const query = { at, campaign_hours: campaignHours }
    return (await client.call('explainLead', { params: { id }, query })).body.data
  } catch (error) {
    if (!isAnswer(error)) throw error
    if (asksForToken(error)) {
      if (options.key === undefined) return 'guarded'
      throw error
    }
    if (at !== undefined && error instanceof ApiError && error.refusal.param === 'at') throw pastMoment(at)
    if (await isSimulator(client)) throw error
    return undefined
  }
}

const asksForToken = (error: unknown): boolean =>
  error instanceof ApiError && error.status === 401 && /control token/.test(error.message)

const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError || error instanceof NotTheApiError || error instanceof ConnectionError

const isSimulator = (client: Client<Control>): Promise<boolean> =>
  client.call('getHealth', {}).then(
    () => true,
    (error: unknown) => {
      if (isAnswer(error)) return false
      throw error
    },
  )
