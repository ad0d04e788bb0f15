/** Tells an answer of the wrong shape from a fault of this program. Both end in a TypeError. */
import type { Client, Contract } from '../../client/client.js'
import type { Endpoint } from '../../contract/base/endpoint.js'

/** The service answered something that the contract does not describe, and a command could not work with it. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError'
}

/** Returns the error to report. Replies are compared with the contract only now: its schemas take long to load. */
export async function explainTypeError<E>(
  error: E,
  client: Pick<Client<Contract>, 'lastReplies'> | undefined,
): Promise<E | UnreadableAnswerError> {
  if (!(error instanceof TypeError) || !client) return error
  const { contract } = await import('../../contract/index.js')
  const isOdd = [...client.lastReplies].some(([name, { body }]) => {
    const { replies }: Pick<Endpoint, 'replies'> = contract[name]
    return Object.values(replies).every((schema) => !schema.safeParse(body).success)
  })
  return isOdd ? new UnreadableAnswerError(error.message, { cause: error }) : error
}
