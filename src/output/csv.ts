/** Lines of comma-separated values (RFC 4180), ended the way other command-line tools end theirs. */

export function csvLine(fields: readonly string[]): string {
  return `${fields.map(quoteCsv).join(',')}\n`
}

/** Quoted where a reader would otherwise see two fields, two lines, or no field at all. */
function quoteCsv(field: string): string {
  return /[",\r\n]|^\s|\s$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

/**
 * Puts an apostrophe before everything that a spreadsheet would run as a formula: at the beginning of a cell, and after
 * a line break or a semicolon, where some programs begin a new cell. An import removes the apostrophes again. A number
 * with its sign is left as it is.
 */
export const escapeFormula = (text: string): string => text.replace(formulaStart, "$1'")

/** Before a formula, and before an apostrophe in front of one, so that removing one apostrophe gives the original. */
const formulaStart = /(^|[\n\r;])(?='*(?:[=@\t\r\uff1d\uff20]|[+\-\uff0b\uff0d](?![\d\s().-]*(?:$|[\n\r;]))))/g
