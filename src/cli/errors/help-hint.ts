/** The hint of an error about missing words. */

/** Where a person learns what a command takes, with its first example. */
export function helpHint(typed: string, examples: readonly (string | { command: string })[] = []): string {
  const [first] = examples
  const example = typeof first === 'string' ? first : first?.command
  const help = `svc ${typed} --help shows what it takes.`
  return example === undefined ? help : `${help} For example: ${example.replaceAll('<%= config.bin %>', 'svc')}`
}
