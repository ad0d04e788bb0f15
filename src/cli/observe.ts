/** Shows on stderr what a client does: each request and reply for `--verbose`, and a countdown while it waits. */
import type { Observer } from '../client/transport.js'
import { countDown } from '../output/countdown.js'
import { maskSecrets } from '../output/mask.js'
import { harmless } from '../output/sanitize.js'

export interface Watching {
  verbose: boolean
  terminal: boolean
  secrets: readonly string[]
  write: (text: string) => void
}

export function observerFor({ verbose, terminal, secrets, write }: Watching): Observer {
  const show = (text: string) => write(`${harmless(maskSecrets(text, secrets))}\n`)
  return {
    ...(verbose && {
      sending: ({ method, url, headers, body }, attempt) => {
        const again = attempt > 1 ? ` (try ${attempt})` : ''
        const lines = [
          `> ${method} ${url.href}${again}`,
          ...Object.entries(headers).map(([name, value]) => `> ${name}: ${value}`),
        ]
        show([...lines, ...(body ? [`> ${body.toString()}`] : [])].join('\n'))
      },
      answered: ({ status, headers, text }, tookMs) => {
        const lines = [
          `< ${status} in ${tookMs} ms`,
          ...Object.entries(headers).map(([name, value]) => `< ${name}: ${value}`),
        ]
        show([...lines, ...(text ? [`< ${text}`] : [])].join('\n'))
      },
      failed: (error, tookMs) => show(`< ${error.message} (${error.code}, ${tookMs} ms)`),
    }),
    waiting: ({ ms, code, asked }) => {
      if (!asked) return undefined
      if (terminal) return countDown(ms, (left) => `Waiting ${left} s (${code})`, write)
      show(`Waiting ${Math.ceil(ms / 1000)} s (${code}).`)
      return undefined
    },
  }
}
