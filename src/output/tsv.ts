/** Lines of tab-separated values: one line per object, with line breaks escaped. */
import { escapeControls } from './sanitize.js'

export function tsvLine(fields: readonly string[]): string {
  return `${fields.map(escapeControls).join('\t')}\n`
}
