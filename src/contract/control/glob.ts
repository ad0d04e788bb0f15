/** Globs that the control plane takes: `*`, `**` and `?` on paths and on dotted names. */
import { z } from 'zod'

/** Longest glob, in characters. Each request and each event is matched against it. */
export const globLength = 200

export const Glob = z.string().max(globLength)
