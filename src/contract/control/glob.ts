/** Globs with `*`, `**` and `?`, matched against paths and dotted names. */
import * as z from 'zod'

/** In characters. Limited, because each request and each event is matched against it. */
export const globLength = 200

export const Glob = z.string().max(globLength)
