/** Renders a stream of objects, one line each. Columns only get wider. */
import { formatCell, type Paint } from './cell.js'
import { fieldText, valueAt } from './columns.js'
import { isDateTime } from './time.js'
import { widthOf } from './width.js'

const gap = '  '

export class Lines {
  readonly #columns: readonly string[]
  readonly #paint: Paint
  readonly #widths: number[]

  constructor(columns: readonly string[], paint: Paint) {
    this.#columns = columns
    this.#paint = paint
    this.#widths = columns.map(() => 0)
  }

  /** Shows absolute times: relative ones would soon be wrong. */
  line(item: unknown): string {
    const fields = this.#columns.map((column, at) => {
      const value = valueAt(item, column)
      const cell = isDateTime(value)
        ? { text: fieldText(value), paint: this.#paint.dim }
        : formatCell(column, value, 0, this.#paint)
      const own = widthOf(cell.text)
      const width = Math.max(this.#widths[at] ?? 0, own)
      this.#widths[at] = width
      return (cell.paint?.(cell.text) ?? cell.text) + ' '.repeat(width - own)
    })
    return `${fields.join(gap).trimEnd()}\n`
  }
}
