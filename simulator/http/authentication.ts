/** Finds the API key of a request by HTTP Basic or Bearer (rule K1). */
import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../../src/contract/errors/error-codes.js'
import type { ApiKey } from '../model/api-key.js'
import type { World } from '../model/world.js'

const sentences = {
  missing_credentials: 'Send the key, by HTTP Basic (key id and secret) or as a Bearer token (the secret).',
  malformed_credentials: 'The Authorization header cannot be read.',
  unknown_key: 'There is no such key.',
  wrong_secret: 'The secret is not that of the key.',
  revoked: 'The key was revoked.',
  expired: 'The key has expired.',
  disabled: 'The key is disabled.',
}

type Reason = keyof typeof sentences

const authenticationFailed = (reason: Reason): ApiError =>
  new ApiError('authentication_failed', sentences[reason], { reason })

export function authenticate(world: World, authorization: string | undefined): ApiKey {
  if (authorization === undefined || authorization.trim() === '') throw authenticationFailed('missing_credentials')
  const [, scheme, credentials] = /^(\S+) +(\S+) *$/.exec(authorization) ?? []
  if (!scheme || !credentials) throw authenticationFailed('malformed_credentials')
  const key =
    scheme.toLowerCase() === 'basic'
      ? authenticateBasic(world, credentials)
      : authenticateBearer(world, scheme, credentials)
  if (key.status !== 'active') throw authenticationFailed(key.status)
  if (key.expires_at !== null && key.expires_at <= world.now) throw authenticationFailed('expired')
  return key
}

function authenticateBasic(world: World, credentials: string): ApiKey {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(credentials)) throw authenticationFailed('malformed_credentials')
  const text = Buffer.from(credentials, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw authenticationFailed('malformed_credentials')
  const key = world.keys.byId(text.slice(0, colon))
  if (!key) throw authenticationFailed('unknown_key')
  if (!equalsInConstantTime(key.secret, text.slice(colon + 1))) throw authenticationFailed('wrong_secret')
  return key
}

function authenticateBearer(world: World, scheme: string, secret: string): ApiKey {
  if (scheme.toLowerCase() !== 'bearer') throw authenticationFailed('malformed_credentials')
  const key = world.keys.bySecret(secret)
  if (!key) throw authenticationFailed('unknown_key')
  return key
}

function equalsInConstantTime(secret: string, sent: string): boolean {
  const [a, b] = [Buffer.from(secret), Buffer.from(sent)]
  return a.length === b.length && timingSafeEqual(a, b)
}
