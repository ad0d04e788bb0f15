/** Turns a schema issue into a message and the path of the field. */
import type { z } from 'zod'

export interface DescribedIssue {
  /** The path of the field, such as `leads[2].consent.agreed_at`; null if the whole value is wrong. */
  param: string | null
  words: string
}

/** The path of an unknown key includes the key itself. */
export function describeIssue(issue: z.core.$ZodIssue): DescribedIssue {
  if (issue.code === 'unrecognized_keys') {
    return { param: fieldPath([...issue.path, issue.keys[0] ?? '']), words: 'there is no such field' }
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined && /received undefined/.test(issue.message)
  return { param: fieldPath(issue.path), words: missing ? 'this is required' : lowerFirst(issue.message) }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1).replace(/\.$/, '')

function fieldPath(path: readonly PropertyKey[]): string | null {
  if (path.length === 0) return null
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? String(part).slice(0, 100) : `${text}.${String(part).slice(0, 100)}`
  }, '')
}
