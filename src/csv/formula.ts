/** Keeps spreadsheets from running cells of a CSV file as formulas. */

/**
 * Puts an apostrophe before text that looks like a formula: at the start of a cell, and after a line break or a semicolon,
 * where some programs start a new cell. This includes the plus of a phone number (rule X1).
 */
export const escapeFormula = (text: string): string => text.replace(formulaOrSign, "$1'")

/** Like `escapeFormula`, but leaves a number with its sign unchanged. */
export const escapeFormulaExceptNumber = (text: string): string => text.replace(formula, "$1'")

/** Removes the apostrophes that either function has put before formulas. */
export const unescapeFormula = (text: string): string => text.replace(escapedFormula, '$1')

/*
 * Each expression also matches the leading apostrophes of the text, so that removing one restores the original. The last
 * four characters are the full-width forms of `=`, `+`, `-` and `@`.
 */
const formulaOrSign = /(^|[\n\r;])(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g
const formula = /(^|[\n\r;])(?='*(?:[=@\t\r\uff1d\uff20]|[+\-\uff0b\uff0d](?![\d\s().-]*(?:$|[\n\r;]))))/g
const escapedFormula = /(^|[\n\r;])'(?='*[=+\-@\t\r\uff1d\uff0b\uff0d\uff20])/g
