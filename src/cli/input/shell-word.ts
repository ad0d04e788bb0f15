/** A word as it is typed in a shell, so that a command we show works when it is pasted. */
import { stripControlsFromLine } from '../../output/sanitize.js'

/** Cleaned first and quoted then: cleaning a quoted word could take the closing quote away. */
export function quoteForShell(word: string): string {
  const clean = stripControlsFromLine(word)
  return /^[\w@%+=:,./-]+$/.test(clean) ? clean : `'${clean.replaceAll("'", String.raw`'\''`)}'`
}
