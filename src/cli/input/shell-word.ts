/** A word as it is typed in a shell, so that a command we show works when it is pasted. */
import { harmlessLine } from '../../output/sanitize.js'

/** Cleaned first and quoted then: cleaning a quoted word could take the closing quote away. */
export function shellWord(word: string): string {
  const clean = harmlessLine(word)
  return /^[\w@%+=:,./-]+$/.test(clean) ? clean : `'${clean.replaceAll("'", String.raw`'\''`)}'`
}
