/** Horizontal bars for a person: a whole, and the part of it that is filled. */
import { stripControlsFromLine } from './sanitize.js'

export interface Bar {
  label: string
  /** Its length. */
  whole: number
  /** How much of the whole is filled: at most all of it. */
  part: number
  /** Stands behind the bar. */
  note: string
}

const narrowest = 10
const longestLabel = 40

/** One line a bar; the longest takes what room the labels and notes leave. */
export function renderBars(bars: readonly Bar[], width: number): string {
  const labels = bars.map(({ label }) => [...stripControlsFromLine(label)].slice(0, longestLabel).join(''))
  const labelWidth = Math.max(0, ...labels.map((label) => label.length))
  const notes = bars.map(({ note }) => stripControlsFromLine(note))
  const noteWidth = Math.max(0, ...notes.map((note) => note.length))
  const room = Math.max(narrowest, width - labelWidth - noteWidth - 4)
  const longest = Math.max(1, ...bars.map(({ whole }) => whole))
  const lines = bars.map(({ whole, part }, at) => {
    // What is there at all is to be seen.
    const cells = whole > 0 ? Math.max(1, Math.round((whole / longest) * room)) : 0
    const filled = whole > 0 ? Math.round((part / whole) * cells) : 0
    const bar = '█'.repeat(filled) + '░'.repeat(cells - filled)
    return `${(labels[at] ?? '').padEnd(labelWidth)}  ${bar.padEnd(room)}  ${(notes[at] ?? '').padStart(noteWidth)}`
  })
  return `${lines.join('\n')}\n`
}
