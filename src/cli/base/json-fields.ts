/** `--json a,b` selects fields: it means `--json --columns a,b`. `--json` by itself takes no value. */

/**
 * Rewrites `--json a,b` and `--json=a,b`. A word without a comma is a list of fields only if it is a known column, so that
 * `svc leads --json list` still runs the command.
 */
export async function withJsonFields(
  argv: readonly string[],
  knownColumns: () => Promise<readonly string[]>,
): Promise<string[]> {
  const stop = argv.indexOf('--')
  const at = argv.findIndex((word) => word === '--json' || word.startsWith('--json='))
  if (at < 0 || (stop >= 0 && at > stop)) return [...argv]
  const word = argv[at] ?? ''
  if (word !== '--json') return replaced(argv, at, 1, word.slice('--json='.length))
  const next = argv[at + 1]
  if (next === undefined || next.startsWith('-')) return [...argv]
  const isFields = isFieldList(next) || (await knownColumns()).includes(next)
  return isFields ? replaced(argv, at, 2, next) : [...argv]
}

/**
 * Rewrites `--json word` if the parser found an argument too many: the word can only be meant as a field, and the error for an
 * unknown field says more. Undefined if there is no such word.
 */
export function withExtraWordAsField(argv: readonly string[], parseError: unknown): string[] | undefined {
  if (!(parseError instanceof Error && parseError.message.startsWith('Unexpected argument'))) return undefined
  const at = argv.indexOf('--json')
  const word = argv[at + 1]
  return at < 0 || word === undefined || word.startsWith('-') ? undefined : replaced(argv, at, 2, word)
}

/** Names with commas between them: `id,phone`, `lead.phone,fields.city`. */
export const isFieldList = (word: string): boolean => /^[\w.-]+(?:,[\w.-]+)+$/.test(word)

const replaced = (argv: readonly string[], at: number, count: number, fields: string): string[] => [
  ...argv.slice(0, at),
  ...['--json', '--columns', fields],
  ...argv.slice(at + count),
]
