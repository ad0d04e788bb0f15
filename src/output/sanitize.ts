/** Sanitizes text from outside. A terminal would execute control sequences, and invisible characters can mislead people. */

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

/** Bidirectional control characters. */
const directionControls = '\\u202a-\\u202e\\u2066-\\u2069'
const directionMarks = `\\u061c\\u200e\\u200f${directionControls}`

const controls = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${directionMarks}]`, 'g')

/** Removes control sequences and characters; keeps tabs and newlines. */
export function stripControls(text: string): string {
  return text.replace(sequences, '').replace(controls, '')
}

/** Like `stripControls`, but also replaces newlines and tabs by spaces. */
export function stripControlsFromLine(text: string): string {
  return stripControls(text.replace(/\r\n?/g, '\n')).replace(/[\n\t]/g, ' ')
}

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

/** Characters to escape in a pipe: control characters, the backslash and bidirectional controls. */
const escaped = new RegExp(`[\\\\\\u0000-\\u001f\\u007f-\\u009f${directionControls}]`, 'g')

/** Escapes one field to a single line. A pipe often ends at a terminal, too. */
export function escapeControls(text: string): string {
  return text.replace(escaped, (mark) => {
    const code = mark.charCodeAt(0)
    return escapes[mark] ?? (code < 0x100 ? `\\x${hex(code, 2)}` : `\\u${hex(code, 4)}`)
  })
}

/** Like the above for text of several lines; keeps line breaks. */
export function escapeLines(text: string): string {
  return text.split(/\r?\n/).map(escapeControls).join('\n')
}

const hex = (code: number, digits: number): string => code.toString(16).padStart(digits, '0')

/** Escapes control characters that `JSON.stringify` leaves in. The JSON keeps its meaning. */
export function escapeControlsInJson(json: string): string {
  return json.replace(
    new RegExp(`[\\u007f-\\u009f${directionMarks}]`, 'g'),
    (mark) => `\\u${hex(mark.charCodeAt(0), 4)}`,
  )
}
