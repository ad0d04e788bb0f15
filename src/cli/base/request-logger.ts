/** Logs the client's work to stderr: requests and replies with `--verbose`, and a countdown during waits. */
import type { Observer } from '../../client/transport.js'
import { countDown } from '../../output/countdown.js'
import { maskSecrets } from '../../output/mask.js'
import { stripControls } from '../../output/sanitize.js'

/** Request headers that hold no secret. All others are masked, because a header such as X-Api-Key may hold one. */
const plainHeaders = ['accept', 'content-type', 'user-agent', 'idempotency-key']
const isPlain = (name: string): boolean => plainHeaders.includes(name.toLowerCase())

/** True for response headers that may hold a secret. */
const isSecret = (name: string): boolean => /cookie|auth|token|secret|session|password|api-?key/i.test(name)

export interface RequestLoggerOptions {
  verbose: boolean
  terminal: boolean
  secrets: readonly string[]
  write: (text: string) => void
}

export function createRequestLogger({ verbose, terminal, secrets, write }: RequestLoggerOptions): Observer {
  const show = (text: string) => write(`${stripControls(maskSecrets(text, secrets))}\n`)
  return {
    ...(verbose && {
      sending: ({ method, url, headers, body }, attempt) => {
        const again = attempt > 1 ? ` (try ${attempt})` : ''
        const lines = [
          `> ${method} ${url.href}${again}`,
          ...Object.entries(headers).map(([name, value]) => `> ${name}: ${isPlain(name) ? value : '****'}`),
        ]
        show([...lines, ...(body ? [`> ${body.toString()}`] : [])].join('\n'))
      },
      answered: ({ status, headers, text }, tookMs) => {
        const lines = [
          `< ${status} in ${tookMs} ms`,
          ...Object.entries(headers).map(([name, value]) => `< ${name}: ${isSecret(name) ? '****' : value}`),
        ]
        show([...lines, ...(text ? [`< ${text}`] : [])].join('\n'))
      },
      failed: (error, tookMs) => show(`< ${error.message} (${error.code}, ${tookMs} ms)`),
    }),
    waiting: ({ ms, code, asked }) => {
      if (!asked) return undefined
      if (terminal) return countDown(ms, (left) => maskSecrets(`Waiting ${left} s (${code})`, secrets), write)
      show(`Waiting ${Math.ceil(ms / 1000)} s (${code}).`)
      return undefined
    },
  }
}
