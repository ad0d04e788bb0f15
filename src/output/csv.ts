/** Lines of comma-separated values (RFC 4180), ended the way other command-line tools end theirs. */

export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoted).join(',')}\n`
}

/** Quoted where a reader would otherwise see two fields, two lines, or no field at all. */
function quoted(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

/**
 * What a spreadsheet would run is text after an apostrophe, which an import takes off again. A number with its sign is
 * left as it is: nothing can be run of digits.
 */
export const unarmed = (text: string): string => (/^[=@\t\r]|^[+-](?![\d\s().-]*$)/.test(text) ? `'${text}` : text)
