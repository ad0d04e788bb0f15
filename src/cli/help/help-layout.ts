/** Lays out help: text wrapped between words, and two columns that fit the terminal. */

/** Lines longer than this are hard to read. */
const widthMax = 120
const widthInPipe = 80
const widthMin = 30
/** Below this width there is no room for two columns. */
const twoColumnsMin = 60

export function helpWidth({ isTTY, columns }: { isTTY?: boolean; columns?: number }): number {
  return isTTY && columns ? Math.min(Math.max(columns, widthMin), widthMax) : widthInPipe
}

/** Breaks text between words. A word that is longer than a line stays whole. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapWords(line.split(' '), width))
}

function wrapWords(words: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

const indent = (lines: readonly string[], columns: number): string[] => lines.map((line) => ' '.repeat(columns) + line)

/** Indented text. */
export const layOutText = (text: string, width: number): string[] => indent(wrapText(text, width - 2), 2)

/** A name and its meaning on each row, in two columns; on a narrow terminal the meaning is below the name. */
export function layOutRows(rows: readonly (readonly [name: string, meaning: string])[], width: number): string[] {
  if (width < twoColumnsMin)
    return rows.flatMap(([name, meaning]) => [
      ...indent(wrapText(name, width - 2), 2),
      ...indent(wrapText(meaning, width - 6), 6),
    ])
  const nameMax = Math.floor(width * 0.4)
  const nameWidth = Math.min(Math.max(...rows.map(([name]) => name.length)), nameMax)
  const start = 2 + nameWidth + 2
  return rows.flatMap(([name, meaning]) => {
    const [first = '', ...rest] = wrapText(meaning, width - start)
    const below = indent(rest, start)
    if (name.length > nameWidth) return [`  ${name}`, ...indent([first], start), ...below]
    return [`  ${name.padEnd(nameWidth)}  ${first}`.trimEnd(), ...below]
  })
}

/** An example on several lines if necessary, so that it can be copied: a backslash ends each line but the last. */
export function layOutExample(example: string, width: number): string[] {
  const words = example.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []
  // A narrow terminal needs each column for long addresses and ids.
  const start = width < twoColumnsMin ? 2 : 6
  const room = width - start - ' \\'.length
  const [first = '', ...rest] = joinFlags(words, room)
  // The first line begins with the mark of the shell.
  const mark = '$ '
  const lines = wrapWords([start === 2 ? mark + first : first, ...rest], room)
  return lines.map((line, at) => {
    const indent = at > 0 || start === 2 ? ' '.repeat(start) : `  ${mark}`
    return `${indent}${line}${at < lines.length - 1 ? ' \\' : ''}`
  })
}

/** Keeps a flag and its value together if they fit on a line. */
function joinFlags(words: readonly string[], room: number): string[] {
  const joined: string[] = []
  for (const word of words) {
    const last = joined.at(-1) ?? ''
    const isValue = /^--?[\w-]+$/.test(last) && !word.startsWith('-')
    if (isValue && last.length + 1 + word.length <= room) joined[joined.length - 1] = `${last} ${word}`
    else joined.push(word)
  }
  return joined
}
