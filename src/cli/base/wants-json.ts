/** Whether a program reads along, so that errors too are to be JSON: read off the words, which may be what is wrong. */

/** True for `--json`, `-o json` and their other spellings, and for ndjson, before a `--`. */
export function wantsJson(argv: readonly string[]): boolean {
  const stop = argv.indexOf('--')
  const words = stop < 0 ? argv : argv.slice(0, stop)
  return words.some((word, at) => {
    if (word === '--json' || /^(--output=|-o=?)(nd)?json$/.test(word)) return true
    return /^(--output|-o)$/.test(word) && /^(nd)?json$/.test(words[at + 1] ?? '')
  })
}
