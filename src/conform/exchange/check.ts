/** Checks one exchange with a deployment against the contract. */
import { stripControlsFromLine } from '../../output/sanitize.js'
import { maskSecrets } from '../../output/mask.js'
import { maskPersonalData } from '../../phone/mask.js'
import { readCredentials } from './credentials.js'
import type { Departure, Exchange, Note } from './exchange.js'
import { checkReply } from './reply.js'
import { checkRequest } from './request.js'
import { findRoute } from './route.js'
import { checkSignedFile, isSignedLink } from './signed-file.js'

export type { Departure, Exchange } from './exchange.js'

export interface CheckOptions {
  /** False for a simulator with --no-limits, which sends no RateLimit headers. */
  isLimited?: boolean
}

/** Messages may quote names that the client or the deployment chose. */
const messageLengthMax = 300

/** Paths of a simulator that are not part of the API. */
const besidesApi = /(^|\/)(_sim|console|openapi\.json|favicon\.ico)(\/|\?|$)/

/**
 * Returns what departs from the contract, in the request and in the reply. Messages show no secret, phone number or
 * e-mail address. Both objects can have fields that the contract does not know: a request departs with one, a reply
 * does not, because a later version may add it.
 */
export function checkExchange(exchange: Exchange, { isLimited = true }: CheckOptions = {}): Departure[] {
  const departures: Departure[] = []
  const credentials = readCredentials(exchange.requestHeaders)
  const clean = (text: string) =>
    maskPersonalData(maskSecrets(stripControlsFromLine(text), credentials.secrets)).slice(0, messageLengthMax)
  const noteFor =
    (where: Departure['where']): Note =>
    (at, message, rule) =>
      departures.push({ where, at: clean(at), message: clean(message), rule })

  const route = findRoute(exchange.method, exchange.path)
  if (route.below === null) {
    if (isSignedLink(exchange.path)) checkSignedFile(exchange, noteFor('response'))
    else if (!besidesApi.test(exchange.path)) noteFor('request')('path', 'not below the path of the API', 'C1')
    return departures
  }
  const sent = checkRequest(exchange, route, credentials, noteFor('request'))
  checkReply(exchange, { route, sent, credentials, isLimited }, noteFor('response'))
  return departures
}
