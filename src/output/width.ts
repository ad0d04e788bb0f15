/** Display width of text in terminal columns: wide characters take two, combining marks none. */

const plain = /^[ -~]*$/
const marks = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** Wide ranges of Unicode's East Asian Width, and emoji. */
const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u

/** Grapheme clusters that a terminal draws as one: flags, emoji sequences, letters with marks. */
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of clusters.segment(text)) width += widthOfCluster(segment)
  return width
}

/** Cuts text to a display width, with an ellipsis, never inside a grapheme cluster. */
export function cutTo(columns: number, text: string): string {
  if (widthOf(text) <= columns) return text
  let left = Math.max(columns - 1, 0)
  let kept = ''
  for (const { segment } of clusters.segment(text)) {
    left -= widthOfCluster(segment)
    if (left < 0) break
    kept += segment
  }
  return columns > 0 ? `${kept}…` : ''
}

/** Variation selector that requests the emoji form of a character. */
const asPicture = '\ufe0f'

function widthOfCluster(cluster: string): number {
  const signs = [...cluster]
  if (signs.some((sign) => sign === asPicture || wide.test(sign))) return 2
  return signs.filter((sign) => !marks.test(sign)).length
}
