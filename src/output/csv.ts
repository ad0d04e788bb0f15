/** Comma-separated values (RFC 4180) with newline line endings, like other command-line tools. */

export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoteCsv).join(',')}\n`
}

/** Quotes a field that contains a separator or line break, or that is empty. */
function quoteCsv(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula: at the beginning of a cell, and after
 * a line break or a semicolon, where some programs begin a new cell. An import removes the apostrophes again. A number
 * with its sign is left as it is.
 */
export const escapeFormula = (text: string): string => text.replace(formulaStart, "$1'")

/** Matches a formula with any leading apostrophes, so that removing one apostrophe restores the original. */
const formulaStart = /(^|[\n\r;])(?='*(?:[=@\t\r\uff1d\uff20]|[+\-\uff0b\uff0d](?![\d\s().-]*(?:$|[\n\r;]))))/g
