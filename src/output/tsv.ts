/** Lines of tab-separated values: one line per object, whatever its text holds. */
import { escapeControls } from './sanitize.js'

export function tsvLine(fields: readonly string[]): string {
  return `${fields.map(escapeControls).join('\t')}\n`
}
