/** The hint of an error about missing words. */

type Examples = readonly (string | { command: string })[]

/** Where a person learns what a command takes, with its first example. */
export function helpHint(typed: string, examples?: Examples): string {
  return withExample(`svc ${typed} --help shows what it takes.`, examples)
}

/** A hint with an example of the command: the first one with the flag that is missing, if there is one. */
export function withExample(hint: string, examples: Examples = [], missing = ''): string {
  const commands = examples.map((example) => (typeof example === 'string' ? example : example.command))
  const example = commands.find((command) => command.includes(missing)) ?? commands[0]
  return example === undefined ? hint : `${hint} For example: ${example.replaceAll('<%= config.bin %>', 'svc')}`
}
