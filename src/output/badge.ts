/** The badge that marks live mode: real people are called. */

/** The word in red, or the plain word where there are no colors. */
export const liveBadge = (colour: boolean): string => (colour ? '\u001b[1;31mLIVE\u001b[22;39m' : 'LIVE')
