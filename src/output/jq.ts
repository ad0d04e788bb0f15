/** Filters JSON output with a jq expression. Loads jq, compiled to WebAssembly, only when an expression is given. */

/** The expression is malformed. Found before anything is sent. */
export class JqSyntaxError extends Error {
  override readonly name = 'JqSyntaxError'
  readonly hint = "Write it as for jq, such as --jq '.data[].id'."
}

/** The expression does not fit the value, as when it takes a field of a list. */
export class JqValueError extends Error {
  override readonly name = 'JqValueError'
  readonly hint = 'Without --jq, --json prints what the expression filters.'
}

export interface JqFilter {
  /** Applies the expression to JSON documents, one on each line. Returns a line for each result; strings are raw. */
  apply: (json: string) => Promise<string>
}

/** jq's exit code for an expression that it cannot compile. */
const compileError = 3

/** `isIndented` prints objects and lists on several lines, for people. */
export async function compileJq(expression: string, isIndented: boolean): Promise<JqFilter> {
  const { raw } = await import('jq-wasm/inline')
  // A leading dash would make it an option of jq. The line break ends a comment.
  const program = expression.startsWith('-') ? `(${expression}\n)` : expression
  const flags = ['-r', isIndented ? '--indent' : '-c', ...(isIndented ? ['2'] : [])]
  // Without input, jq only compiles the program.
  const { stderr, exitCode } = await raw('', program, flags)
  if (exitCode === compileError) throw new JqSyntaxError(`--jq: ${describe(stderr)}.`)
  return {
    apply: async (json) => {
      const result = await raw(json, program, flags)
      if (result.exitCode !== 0) throw new JqValueError(`--jq: ${describe(result.stderr)}.`)
      return result.stdout === '' ? '' : `${result.stdout.replace(/\n$/, '')}\n`
    },
  }
}

/** The first line of jq's message: `syntax error, unexpected end of file (column 6)`. */
function describe(stderr: string): string {
  const [first = ''] = stderr.split('\n')
  return first
    .replace(/^jq: error(?: \(at [^)]*\))?:? ?/, '')
    .replace(/ at <top-level>(?:, line \d+, column (\d+))?[:,]?.*$/, (_, column?: string) =>
      column ? ` (column ${column})` : '',
    )
}
