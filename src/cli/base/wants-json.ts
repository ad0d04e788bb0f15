/** Decides from the raw arguments whether errors are printed as JSON. The arguments may be too broken to parse. */

/** True if `--json`, `-o json`, `-o ndjson` or another spelling of them comes before a `--`. */
export function wantsJson(argv: readonly string[]): boolean {
  const stop = argv.indexOf('--')
  const words = stop < 0 ? argv : argv.slice(0, stop)
  return words.some((word, at) => {
    if (/^--json(=|$)/.test(word) || /^(--output=|-o=?)(nd)?json$/.test(word)) return true
    return /^(--output|-o)$/.test(word) && /^(nd)?json$/.test(words[at + 1] ?? '')
  })
}
