/** Checks the address of a webhook endpoint before the next question, as the service will. */
import { simulatorRoot, urlOf } from '../../url.js'
import { checkAddress } from '../../webhooks/address.js'
import { UsageError } from '../errors/usage-error.js'
import type { MissingValue } from './questions/prompt-for-missing.js'

/** A simulator on this machine answers in a few milliseconds. */
const answerWithinMs = 300

/** Asks for the address until the service at `baseUrl` can take it. */
export function webhookAddressNeed(value: string | undefined, baseUrl: string): MissingValue {
  const check = (text: string) => checkWebhookAddress(text, baseUrl)
  return {
    ...{ flag: '--url', label: 'Address', value, check },
    verifyGiven: async (text) => {
      const verdict = await check(text)
      if (verdict !== true) throw new UsageError(`--url ${text}: ${verdict}`)
    },
  }
}

/** True, or what is wrong with the address. What its name resolves to is left to the service. */
async function checkWebhookAddress(text: string, baseUrl: string): Promise<string | true> {
  const strict = checkAddress(text, { allowLocal: false })
  if (strict.ok) return true
  if (!checkAddress(text, { allowLocal: true }).ok) return strict.problem
  const isLocalTaken = await takesLocalWebhooks(baseUrl)
  if (isLocalTaken === undefined) return strict.problem
  return isLocalTaken || `${strict.problem} svc simulate --allow-local-webhooks starts a simulator that takes it.`
}

/** Whether a simulator takes addresses of this machine. True if it does not say. Undefined if the service is no simulator. */
async function takesLocalWebhooks(baseUrl: string): Promise<boolean | undefined> {
  const base = urlOf(baseUrl)
  // A simulator has no https:.
  if (base?.protocol !== 'http:') return undefined
  const { sendOnce } = await import('../../client/exchange.js')
  const { status, text } = await sendOnce({
    ...{ method: 'GET', url: new URL(`${simulatorRoot(new URL(base))}/_sim/health`) },
    ...{ headers: { Accept: 'application/json' }, timeoutMs: answerWithinMs, totalMs: answerWithinMs },
  }).catch(() => ({ status: 0, text: '' }))
  if (status === 404) return undefined
  try {
    return (JSON.parse(text) as { data: { local_webhooks?: boolean } }).data.local_webhooks ?? true
  } catch {
    // The service itself says what it takes.
    return true
  }
}
