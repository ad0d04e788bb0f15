/** Makes outside text harmless: a terminal obeys control characters, and invisible ones deceive people. */

/**
 * Escape sequences as a whole: with introducer and end (CSI), strings up to their end (OSC and similar), and short ones. A
 * string without an end stops at the end of its line, so that it hides no later line.
 */
const sequences = new RegExp(
  [
    '(?:\\u001b\\[|\\u009b)[0-?]*[ -/]*[@-~]?',
    '(?:\\u001b[\\]PX^_]|[\\u009d\\u0090\\u0098\\u009e\\u009f])[^\\u0007\\u001b\\u009c\\n\\r]*(?:\\u0007|\\u001b\\\\|\\u009c)?',
    '\\u001b[ -/]*[0-~]?',
  ].join('|'),
  'g',
)

/** Marks that turn the direction of the text around them. */
const directionControls = '\\u202a-\\u202e\\u2066-\\u2069'
const directionMarks = `\\u061c\\u200e\\u200f${directionControls}`

const controls = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${directionMarks}]`, 'g')

/** Removes everything a terminal would obey; tabs and newlines stay. */
export function stripControls(text: string): string {
  return text.replace(sequences, '').replace(controls, '')
}

/** The same on one line: newlines and tabs become spaces. */
export function stripControlsFromLine(text: string): string {
  return stripControls(text.replace(/\r\n?/g, '\n')).replace(/[\n\t]/g, ' ')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** What is escaped in a pipe: control characters, the backslash, and marks that turn the direction of text. */
const escaped = new RegExp(`[\\\\\\u0000-\\u001f\\u007f-\\u009f${directionControls}]`, 'g')

/** One field as text of one line. The other end of a pipe is often a terminal. */
export function escapeControls(text: string): string {
  return text.replace(escaped, (mark) => {
    const code = mark.charCodeAt(0)
    return escapes[mark] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`)
  })
}

/** The same for text of several lines, whose line ends stay. */
export function escapeLines(text: string): string {
  return text.split(/\r?\n/).map(escapeControls).join('\n')
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** JSON that means the same: what `JSON.stringify` lets through is written as escapes. */
export function escapeControlsInJson(json: string): string {
  return json.replace(
    new RegExp(`[\\u007f-\\u009f${directionMarks}]`, 'g'),
    (mark) => `\\u${hex(mark.charCodeAt(0), 4)}`,
  )
}
