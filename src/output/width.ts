/** How many columns of a terminal a text takes: some signs take two, marks on a letter take none. */

const plain = /^[ -~]*$/
const marks = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** Letters of East Asia and pictures: the ranges of Unicode's East Asian Width that are wide. */
const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u

/** Signs that a terminal joins into one picture or letter: a flag of two letters, a family, a letter with its marks. */
const clusters = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of clusters.segment(text)) width += widthOfCluster(segment)
  return width
}

/** The beginning of a text that takes no more columns than these; with an ellipsis where it was cut, never inside a cluster. */
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

/** The sign that asks for the picture of what could be a letter too. */
const asPicture = '\ufe0f'

function widthOfCluster(cluster: string): number {
  const signs = [...cluster]
  if (signs.some((sign) => sign === asPicture || wide.test(sign))) return 2
  return signs.filter((sign) => !marks.test(sign)).length
}
