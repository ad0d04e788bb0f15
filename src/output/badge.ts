/** Styles for short texts: the badge that marks live mode, dim details, bold headings. Written without loading a library. */

/** The word in red, or the plain word without colors. Live mode means that real people are called. */
export const liveBadge = (color: boolean): string => (color ? '\u001b[1;31mLIVE\u001b[22;39m' : 'LIVE')

/** Text that is less important than its neighbors. */
export const dim = (text: string, color: boolean): string => (color ? `\u001b[2m${text}\u001b[22m` : text)

export const bold = (text: string, color: boolean): string => (color ? `\u001b[1m${text}\u001b[22m` : text)
