/** Date and time formats of replies, request bodies and filters (rule C4). */
import * as z from 'zod'

/** A timestamp in a reply: ISO 8601 in UTC. */
export const DateTime = z.iso.datetime()

/** A timestamp in a body: ISO 8601 with any zone. */
export const DateTimeInput = z.iso.datetime({
  offset: true,
  error: 'send an ISO 8601 date-time with its zone, such as 2026-10-01T09:30:00Z',
})

/** A calendar day: `2026-10-01`. */
export const Day = z.iso.date()

/** A calendar month: `2026-10`. */
export const Month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'send a month as YYYY-MM')

const unixSeconds = /^\d{1,11}$/

/** A timestamp in a filter, as text: ISO 8601 with a zone, or Unix seconds. Read it with `filterMilliseconds`. */
export const DateTimeFilter = z
  .string()
  .refine((text) => unixSeconds.test(text) || DateTimeInput.safeParse(text).success, {
    error: 'send an ISO 8601 date-time with its zone, or unix seconds',
  })
  .meta({ description: 'ISO 8601 with a zone, or unix seconds.', examples: ['2026-10-01T00:00:00Z', '1790812800'] })

/** Milliseconds since the epoch of a valid filter timestamp. */
export function filterMilliseconds(text: string): number {
  return unixSeconds.test(text) ? Number(text) * 1000 : Date.parse(text)
}
