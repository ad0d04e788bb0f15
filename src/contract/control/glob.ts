/** Globs with `*`, `**` and `?`, matched against paths and dotted names. */
import { z } from 'zod'

/** In characters. Each request and each event is matched against the glob. */
export const globLength = 200

export const Glob = z.string().max(globLength)
