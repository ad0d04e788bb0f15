/** Renders horizontal bars with a filled part. */
import { stripControlsFromLine } from '../sanitize.js'
import { wrapWords } from '../table/width.js'

export interface Bar {
  label: string
  /** Length of the bar. */
  whole: number
  /** Filled part, at most the whole. */
  part: number
  /** Text after the bar. */
  note: string
}

const narrowest = 3
const longestLabel = 40

/** One line per bar. The longest bar uses the room that labels and notes leave. */
export function renderBars(bars: readonly Bar[], width: number): string {
  const labels = bars.map(({ label }) => [...stripControlsFromLine(label)].slice(0, longestLabel).join(''))
  const labelWidth = Math.max(0, ...labels.map((label) => label.length))
  const notes = bars.map(({ note }) => stripControlsFromLine(note))
  const noteWidth = Math.max(0, ...notes.map((note) => note.length))
  const room = width - labelWidth - noteWidth - 4
  // A bar that has no room for a few cells shows nothing: the figures then go without it.
  if (room < narrowest)
    return `${labels.flatMap((label, at) => wrapWords(`${label}: ${notes[at] ?? ''}`, width)).join('\n')}\n`
  const longest = Math.max(1, ...bars.map(({ whole }) => whole))
  const lines = bars.map(({ whole, part }, at) => {
    // A value above zero must be visible.
    const cells = whole > 0 ? Math.max(1, Math.round((whole / longest) * room)) : 0
    const filled = whole > 0 ? Math.round((part / whole) * cells) : 0
    const bar = '█'.repeat(filled) + '░'.repeat(cells - filled)
    return `${(labels[at] ?? '').padEnd(labelWidth)}  ${bar.padEnd(room)}  ${(notes[at] ?? '').padStart(noteWidth)}`
  })
  return `${lines.join('\n')}\n`
}
