/** Words of sentences about results. */

/** "a", "a and b", "a, b and c". */
export function listWords(words: readonly string[]): string {
  const [last = '', ...others] = [...words].reverse()
  return others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`
}

/** "1 event", "2 events", "1,000 events". */
export const countOf = (count: number, noun: string): string =>
  `${count.toLocaleString('en-US')} ${noun}${count === 1 ? '' : 's'}`
