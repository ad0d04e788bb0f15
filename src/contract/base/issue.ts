/** What is wrong with a value, and where in it, for people: an issue of a schema in words. */
import type { z } from 'zod'

export interface DescribedIssue {
  /** The path of the field, `leads[2].consent.agreed_at` (by decision); null where it is the value itself. */
  param: string | null
  words: string
}

/** An unknown key is the place itself. */
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
