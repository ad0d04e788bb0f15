/** How many columns of a terminal a text takes: some signs take two, marks on a letter take none. */

const plain = /^[ -~]*$/
const marks = /^[\p{Mn}\p{Me}\p{Cf}]$/u

/** Letters of East Asia and pictures: the ranges of Unicode's East Asian Width that are wide. */
const wide =
  /^[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]$/u

export function widthOf(text: string): number {
  return plain.test(text) ? text.length : [...text].reduce((sum, sign) => sum + widthOfSign(sign), 0)
}

/** The beginning of a text that takes no more columns than these; with an ellipsis where it was cut. */
export function cutTo(columns: number, text: string): string {
  if (widthOf(text) <= columns) return text
  let left = Math.max(columns - 1, 0)
  const kept: string[] = []
  for (const sign of text) {
    left -= widthOfSign(sign)
    if (left < 0) break
    kept.push(sign)
  }
  return columns > 0 ? `${kept.join('')}…` : ''
}

function widthOfSign(sign: string): number {
  if (marks.test(sign)) return 0
  return wide.test(sign) ? 2 : 1
}
