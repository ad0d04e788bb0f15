/** Display width of text in terminal columns, and text cut to a width. */
import stringWidth from 'string-width'

/** Grapheme clusters that a terminal draws as one: flags, emoji sequences, letters with marks. */
let clusters: Intl.Segmenter | undefined

/** Latin letters and common punctuation such as dashes and the ellipsis, without the soft hyphen. Each takes one column. */
const latin = /^[ -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/

/** Wide characters and emoji take two columns, combining marks none. Latin text does not need the table of all characters. */
export function widthOf(text: string): number {
  return latin.test(text) ? text.length : stringWidth(text)
}

/** Cuts text to a display width, with an ellipsis, never inside a grapheme cluster. */
export function cutTo(columns: number, text: string): string {
  if (widthOf(text) <= columns) return text
  let left = Math.max(columns - 1, 0)
  let kept = ''
  clusters ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
  for (const { segment } of clusters.segment(text)) {
    left -= widthOf(segment)
    if (left < 0) break
    kept += segment
  }
  return columns > 0 ? `${kept}…` : ''
}

/** Breaks a text into lines between words. A single word can be longer than the width. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const line = lines.at(-1)
    if (line !== undefined && widthOf(line) + 1 + widthOf(word) <= width) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}
