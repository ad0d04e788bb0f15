/** Renders a stream of objects, one line each. Columns only get wider. */
import { formatCell, type CellStyle } from './table/cell.js'
import { valueAt } from './columns/value-at.js'
import { fullTime, isDateTime } from './time.js'
import { widthOf } from './table/width.js'

const gap = '  '

export class Lines {
  readonly #columns: readonly string[]
  readonly #style: CellStyle
  readonly #widths: number[]

  constructor(columns: readonly string[], style: CellStyle) {
    this.#columns = columns
    this.#style = style
    this.#widths = columns.map(() => 0)
  }

  /** Shows absolute times: relative ones would soon be wrong. */
  line(item: unknown): string {
    const fields = this.#columns.map((column, at) => {
      const value = valueAt(item, column)
      const cell = isDateTime(value)
        ? { text: fullTime(value, this.#style), paint: this.#style.paint.dim }
        : formatCell(column, value, this.#style)
      const own = widthOf(cell.text)
      const width = Math.max(this.#widths[at] ?? 0, own)
      this.#widths[at] = width
      return (cell.paint?.(cell.text) ?? cell.text) + ' '.repeat(width - own)
    })
    return `${fields.join(gap).trimEnd()}\n`
  }
}
