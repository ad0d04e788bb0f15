/** Models of how a service may limit new leads per minute. */

/** Counts leads that arrive at `now` and returns 0, or returns the milliseconds to wait if they do not fit. */
export type LeadLimiter = (now: number, count: number) => number

const minuteMs = 60_000

/** At most `perMinute` in any 60 seconds. */
export function slidingWindow(perMinute: number): LeadLimiter {
  let taken: { at: number; count: number }[] = []
  return (now, count) => {
    taken = taken.filter(({ at }) => at > now - minuteMs)
    let excess = taken.reduce((sum, one) => sum + one.count, 0) + count - perMinute
    if (excess > 0) return (taken.find((one) => (excess -= one.count) <= 0)?.at ?? now) + minuteMs - now
    taken.push({ at: now, count })
    return 0
  }
}

/** At most `perMinute` in each minute of the clock. */
export function fixedWindow(perMinute: number): LeadLimiter {
  let [minute, taken] = [-1, 0]
  return (now, count) => {
    const current = Math.floor(now / minuteMs)
    if (current !== minute) [minute, taken] = [current, 0]
    if (taken + count > perMinute) return (current + 1) * minuteMs - now
    taken += count
    return 0
  }
}

/** A bucket that holds one minute's leads and refills evenly. */
export function tokenBucket(perMinute: number): LeadLimiter {
  let [tokens, at] = [perMinute, 0]
  return (now, count) => {
    tokens = Math.min(perMinute, tokens + ((now - at) / minuteMs) * perMinute)
    at = now
    if (tokens < count) return ((count - tokens) / perMinute) * minuteMs
    tokens -= count
    return 0
  }
}

export const limiters = { slidingWindow, fixedWindow, tokenBucket }
