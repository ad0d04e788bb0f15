/** Lines of comma-separated values (RFC 4180), ended the way other command-line tools end theirs. */

export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\n`
}

/** Quoted where a reader would otherwise see two fields, two lines, or no field at all. */
function quoted(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
