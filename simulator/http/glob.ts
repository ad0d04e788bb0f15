/** Globs over paths and dotted names: `*` is any part up to the next slash, or all of it alone; `**` anything at all, `?` one character. */

const meanings: Readonly<Record<string, string>> = { '**': '.*', '*': '[^/]*', '?': '[^/]' }

/** Whether the whole text fits the glob. */
export function globTester(glob: string): (text: string) => boolean {
  const pattern = (glob === '*' ? '**' : glob).replaceAll(
    /\*\*|[*?]|[.+^${}()|[\]\\]/g,
    (found) => meanings[found] ?? `\\${found}`,
  )
  const whole = new RegExp(`^${pattern}$`, 's')
  return (text) => whole.test(text)
}

/** Whether a path below the base address fits the glob; the slash it begins with may be left out. */
export const pathTester = (glob: string): ((path: string) => boolean) => globTester(glob.replace(/^(?![/*])/, '/'))
