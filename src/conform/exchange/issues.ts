/** Problems that a schema finds in a value, as departures. */
import type { z } from 'zod'
import { describeIssue } from '../../contract/base/issue.js'

/** More problems of one body are not listed. */
const issuesMax = 10

export interface FieldIssue {
  /** Path of the field; null for the whole value. */
  field: string | null
  words: string
}

/** The first problems of a value; none if it matches the schema. */
export function issuesOf(schema: z.ZodType, value: unknown): FieldIssue[] {
  const result = schema.safeParse(value)
  if (result.success) return []
  return result.error.issues
    .flatMap(separate)
    .slice(0, issuesMax)
    .map((issue) => {
      const { param, words } = describeIssue(issue)
      return { field: param, words }
    })
}

/** One issue for each unknown key. */
function separate(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => ({ ...issue, keys: [key] })) : [issue]
}
