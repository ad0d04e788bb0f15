/** Suggests the known word nearest to an unknown one. */

/** Returns the nearest word, or undefined if none is close enough. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance)
  const best = ranked[0]
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

/** Like `nearestWord` for names of several words: the typed text may be the beginning of a name, or one of its words. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const whole = nearestWord(typed, names)
  if (whole !== undefined) return whole
  const parts = names.flatMap((name) =>
    [name.slice(0, typed.length), ...name.split(/\s+/)].map((part) => ({ name, part })),
  )
  const near = nearestWord(
    typed,
    parts.map(({ part }) => part),
  )
  return parts.find(({ part }) => part === near)?.name
}

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighboring letters. */
export function editDistance(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 0; i <= a.length; i++) {
    for (let j = 0; j <= b.length; j++) {
      const row = rows[i] as number[]
      if (i === 0 || j === 0) {
        row[j] = i + j
        continue
      }
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      row[j] = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (swapped) row[j] = Math.min(at(i, j), at(i - 2, j - 2) + 1)
    }
  }
  return at(a.length, b.length)
}
