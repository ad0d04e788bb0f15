/** Makes outside text harmless: a terminal obeys control characters, a person is fooled by invisible ones. */

/** Escape sequences as a whole: with introducer and end (CSI), strings up to their end (OSC and kin), and short ones. */
const sequences = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'g',
)

/** Marks that turn the direction of the text around them. */
const directionMarks = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'

const controls = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${directionMarks}]`, 'g')

/** Text of several lines without anything a terminal would obey; tabs and newlines stay. */
export function harmless(text: string): string {
  return text.replace(sequences, '').replace(controls, '')
}

/** The same on one line: newlines and tabs become spaces. */
export function harmlessLine(text: string): string {
  return harmless(text.replace(/\r\n?|\n|\t/g, ' '))
}

/** JSON that means the same: what `JSON.stringify` lets through is written as escapes. */
export function harmlessJson(json: string): string {
  return json.replace(
    new RegExp(`[\\u007f-\\u009f${directionMarks}]`, 'g'),
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
