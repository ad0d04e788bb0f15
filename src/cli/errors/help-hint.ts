/** The hint of an error about missing words. */

type Examples = readonly (string | { command: string })[]

/** Where a person learns what a command takes, with its first example. */
export function helpHint(typed: string, examples?: Examples): string {
  return withExample(`svc ${typed} --help shows what it takes.`, examples)
}

/** A hint with the first example of the command. */
export function withExample(hint: string, examples: Examples = []): string {
  const [first] = examples
  const example = typeof first === 'string' ? first : first?.command
  return example === undefined ? hint : `${hint} For example: ${example.replaceAll('<%= config.bin %>', 'svc')}`
}
