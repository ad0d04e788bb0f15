/** Hints for a receiver that does not accept a webhook. */

const byStatus: Readonly<Record<number, string>> = {
  400: 'If the signature check fails: is this the secret that your server has? Verify the raw body, before any JSON parser.',
  401: 'Webhooks carry no login: the signature is their proof. Let the path through.',
  403: 'Webhooks carry no login and no CSRF token: the signature is their proof. Let the path through.',
  404: 'Nothing is at this path. Is the address whole?',
  405: 'The path takes no POST.',
  413: 'The body is too large for your server: raise its limit.',
  415: 'The path takes no application/json.',
  429: 'Your server limits how often it is asked. Webhooks come as they happen.',
}

const byCode: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Is your server running, and on this port?',
  ENOTFOUND: 'There is no such host.',
  TIMEOUT: 'Answer first, and do the work afterwards: the service waits ten seconds.',
  ETIMEDOUT: 'Nothing answers at this address.',
  EHOSTUNREACH: 'There is no way to this host.',
  ECONNRESET: 'Your server hung up before it answered. Its log will say why.',
}

/** Errors of a receiver that does not speak HTTP, or whose certificate is not trusted. */
const byKind: readonly (readonly [RegExp, string])[] = [
  [/^HPE_/, 'What answers there speaks no HTTP. Is it https:?'],
  [/SSL|WRONG_VERSION/, 'What answers there speaks no TLS. Is it http:?'],
  [/CERT|SELF_SIGNED|UNABLE_TO_/, 'Its certificate cannot be trusted. NODE_EXTRA_CA_CERTS names one to trust.'],
]

/** For an answer that takes longer than the service waits (rule W2). */
export const tooSlowHint =
  'This is too late for the service, which waits ten seconds and then sends it again. Answer first, and do the work afterwards.'

/** `answer` is the response status, or the code of the failed connection. */
export function explainReceiverFailure(answer: number | string): string {
  if (typeof answer === 'string')
    return byCode[answer] ?? byKind.find(([kind]) => kind.test(answer))?.[1] ?? 'Its log will say why.'
  if (answer >= 300 && answer < 400) return 'Redirects are not followed: give the address it redirects to.'
  if (answer >= 500) return 'Your server failed. Its log will say why.'
  return byStatus[answer] ?? 'Any 2xx says that it was taken.'
}
