/** What is probably wrong with a receiver that does not take a webhook. */

const byStatus: Readonly<Record<number, string>> = {
  400: 'If it is the signature that does not verify: verify over the raw body, before any JSON parser, and with this secret.',
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
  UND_ERR_HEADERS_TIMEOUT: 'Answer first, and do the work afterwards: the service waits ten seconds.',
  ECONNRESET: 'Your server hung up before it answered. Its log will say why.',
}

/** `answer` is the status it answered with, or the code of the connection that failed. */
export function receiverHint(answer: number | string): string {
  if (typeof answer === 'string') return byCode[answer] ?? 'Its log will say why.'
  if (answer >= 300 && answer < 400) return 'Redirects are not followed: give the address it redirects to.'
  if (answer >= 500) return 'Your server failed. Its log will say why.'
  return byStatus[answer] ?? 'Any 2xx says that it was taken.'
}
