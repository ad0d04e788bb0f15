/** Sends one event to a developer's server, signed like a delivery of the service, and describes the answer. */
import { randomUUID } from 'node:crypto'
import { postWebhook, type PostOutcome } from '../../client/post.js'
import type { Event } from '../../contract/events.js'
import { deliveryHeaders, webhookHeaders } from '../../webhooks/headers.js'
import { sign } from '../../webhooks/sign.js'
import { exitCodes } from '../errors/exit-codes.js'
import { isSuccess } from './forwarder.js'
import { explainReceiverFailure } from './receiver-hint.js'

/** What is wrong with a signature on purpose. */
export type Flaw = 'corrupt' | 'stale'

export interface SignedPost {
  event: Event
  url: URL
  secret: string
  flaws?: readonly Flaw[]
}

/** Twice the age that receivers accept (rule W5). */
const staleSeconds = 600

export async function postSigned({
  event,
  url,
  secret,
  flaws = [],
}: SignedPost): Promise<PostOutcome & { sent: object }> {
  const body = Buffer.from(JSON.stringify(event))
  const deliveryId = randomUUID()
  const at = Math.floor(Date.now() / 1000) - (flaws.includes('stale') ? staleSeconds : 0)
  const signature = sign({ body, secrets: [secret], at })
  const headers = {
    ...deliveryHeaders({ eventId: event.id, eventType: event.type, deliveryId, attempt: 1 }),
    [webhookHeaders.signature]: flaws.includes('corrupt') ? corruptSignature(signature) : signature,
  }
  const outcome = await postWebhook({ url, headers, body })
  const sent = { type: event.type, event_id: event.id, delivery_id: deliveryId, url: url.href, ...outcome }
  return { ...outcome, sent }
}

/** Replaces the last digit. */
const corruptSignature = (signature: string): string => signature.replace(/.$/, (digit) => (digit === '0' ? '1' : '0'))

export interface Verdict {
  text: string
  exitCode: number
}

/** Only a 4xx refuses an invalid signature: a 500 is a crash and a redirect is a wrong address. */
export function judgeAnswers(answers: readonly PostOutcome[], flaws: readonly Flaw[] = []): Verdict {
  const silent = answers.find(({ status }) => status === null)
  if (silent) {
    const error = silent.error ?? ''
    return { text: `no answer: ${error}. ${explainReceiverFailure(error)}`, exitCode: exitCodes.unreachable }
  }
  const statuses = (wanted: readonly PostOutcome[]) => [...new Set(wanted.map(({ status }) => status))].join(', ')
  const why = flaws.length > 0 ? ` for a ${flaws.join(' and ')} signature` : ''
  const accepted = answers.filter(isSuccess)
  const others = answers.filter((answer) => !isSuccess(answer))
  if (flaws.length === 0) {
    const [refused] = others
    if (!refused) return { text: `accepted: ${statuses(accepted)}`, exitCode: exitCodes.done }
    const hint = explainReceiverFailure(refused.status ?? 0)
    return { text: `refused: ${statuses(others)}. ${hint}`, exitCode: exitCodes.failed }
  }
  if (accepted.length > 0)
    return {
      text: `accepted, but your server should have refused it: ${statuses(accepted)}${why}. It does not check signatures.`,
      exitCode: exitCodes.failed,
    }
  const failed = others.filter(({ status }) => status === null || status < 400 || status >= 500)
  if (failed.length > 0)
    return {
      text: `not refused as it should be: ${statuses(failed)}${why}. Answer with a 4xx.`,
      exitCode: exitCodes.failed,
    }
  return { text: `refused as it should be: ${statuses(others)}${why}`, exitCode: exitCodes.done }
}
