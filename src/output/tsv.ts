/** Lines of tab-separated values: one line an object whatever its text holds. */

const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

export function tsvLine(fields: readonly string[]): string {
  return `${fields.map((field) => field.replace(/[\\\t\n\r]/g, (mark) => escapes[mark] ?? mark)).join('\t')}\n`
}
