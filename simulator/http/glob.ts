/** Globs over paths and dotted names: `*` is any part up to the next slash, `**` anything at all, `?` one character. */

const meanings: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }

/** Whether the whole text fits the glob. */
export function globTester(glob: string): (text: string) => boolean {
  const pattern = glob.replaceAll(/\*\*|[*?]|[.+^${}()|[\]\\]/g, (found) => meanings[found] ?? `\\${found}`)
  const whole = new RegExp(`^${pattern}$`, 's')
  return (text) => whole.test(text)
}
