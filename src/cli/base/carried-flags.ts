/** Adds the flags that chose the service and the key to the commands that a text tells the user to type. */
import { quoteForShell } from '../input/shell-word.js'

const carried = ['--profile', '--base-url']

/** Commands that use no key, or that choose one themselves. */
const withoutKey =
  /^(?:autocomplete|demo|help|login|logout|openapi|profiles|simulate|version|webhooks (?:sign|verify))$/

/** A command in a text: its words up to the first that is a value or a flag. */
const command = /(?<![\w./-])svc((?: [a-z]+(?:-[a-z]+)*)+)(?= |[^\w]|$)/g

/** Such as `--profile simulator-live`, from the words of the running command. Empty if neither flag was typed. */
export function carriedFlags(running: string, argv: readonly string[]): string {
  // The profile that `login` names may not exist yet.
  if (isKeyless(running)) return ''
  const end = argv.indexOf('--')
  const words = end < 0 ? argv : argv.slice(0, end)
  const values = new Map<string, string>()
  for (const [at, word] of words.entries()) {
    const [, flag = '', value = words[at + 1]] = /^(--[\w-]+)(?:=(.*))?$/s.exec(word) ?? []
    if (carried.includes(flag) && value !== undefined) values.set(flag, value)
  }
  return [...values].map(([flag, value]) => `${flag} ${quoteForShell(value)}`).join(' ')
}

/**
 * The text with the flags behind each command of `ids` that needs them. `ids` are those of the framework, such as
 * `leads:list`.
 */
export function carryFlags(text: string, flags: string, ids: readonly string[]): string {
  if (flags === '' || !text.includes('svc ')) return text
  return text.replace(command, (whole: string, typed: string, at: number) => {
    const words = typed.trim().split(' ')
    const length = words.findLastIndex((_, last) => ids.includes(words.slice(0, last + 1).join(':'))) + 1
    const named = words.slice(0, length).join(' ')
    const rest = /^[^\n]*/.exec(text.slice(at + 'svc '.length + named.length))?.[0] ?? ''
    const hasThem = carried.some((flag) => rest.includes(`${flag} `) || rest.includes(`${flag}=`))
    if (length === 0 || isKeyless(named) || hasThem || rest.startsWith(' --help')) return whole
    return ['svc', named, flags, ...words.slice(length)].join(' ')
  })
}

/** Every command below `profiles`, but none below `simulate`: these ask the control plane of the chosen service. */
const isKeyless = (named: string): boolean => withoutKey.test(named) || named.startsWith('profiles ')
