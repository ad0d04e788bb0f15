/** Globs over paths and dotted names: `*` is any part up to the next slash, or all of it alone; `**` anything at all, `?` one character. */

/**
 * Whether the whole text fits the glob. The text is read once, with every place of the glob it may have come to: it
 * costs the length of the one times that of the other at most, where a regular expression of many stars never ends.
 */
export function globTester(glob: string): (text: string) => boolean {
  const parts = (glob === '*' ? '**' : glob).match(/\*\*|[^]/gu) ?? []
  return (text) => {
    let places = pastStars(parts, new Set([0]))
    for (const character of text) {
      if (places.size === 0) return false
      places = pastStars(parts, placesAfter(parts, places, character))
    }
    return places.has(parts.length)
  }
}

/** Whether a path below the base address fits the glob; the slash it begins with may be left out. */
export const pathTester = (glob: string): ((path: string) => boolean) => globTester(glob.replace(/^(?![/*])/, '/'))

/** The places, and those behind a star that stands for nothing; a set goes on to what is added to it on the way. */
function pastStars(parts: readonly string[], places: Set<number>): Set<number> {
  for (const place of places) if (parts[place] === '*' || parts[place] === '**') places.add(place + 1)
  return places
}

function placesAfter(parts: readonly string[], places: ReadonlySet<number>, character: string): Set<number> {
  const after = new Set<number>()
  for (const place of places) {
    const part = parts[place]
    if (part === '**' || (part === '*' && character !== '/')) after.add(place)
    else if (part === character || (part === '?' && character !== '/')) after.add(place + 1)
  }
  return after
}
