/** Splits a shell line into words if that needs no shell. */

/** One word: pieces of plain text, quoted text and variables in double quotes. */
const piece = /'([^']*)'|"((?:[^"\\$`]|\$\w+)*)"|([\w@%+=:,./-]+)/y

/** The words of one command, or null if the line needs a shell: pipes, redirections, patterns. */
export function shellWords(line: string, env: Readonly<Record<string, string>>): string[] | null {
  const words: string[] = []
  for (let at = 0; at < line.length;) {
    const blank = /\s/.test(line.charAt(at))
    piece.lastIndex = at
    const found = blank ? null : piece.exec(line)
    if (!blank && !found) return null
    const isStart = at === 0 || /\s/.test(line.charAt(at - 1))
    at = found ? piece.lastIndex : at + 1
    if (!found) continue
    const [, single, double, plain] = found
    const text = single ?? double?.replaceAll(/\$(\w+)/g, (_, name: string) => env[name] ?? '') ?? plain ?? ''
    words.push((isStart ? '' : (words.pop() ?? '')) + text)
  }
  return words
}
