/** Prints all results, in the style of this run. */
import type { Paint } from './table/cell.js'
import { chooseColumns } from './columns/columns.js'
import { withComputed } from './columns/computed.js'
import { valueAt } from './columns/value-at.js'
import { escapeFormulaExceptNumber } from '../csv/formula.js'
import type { ResourceColumns } from './columns/resources.js'
import { escapeLines, stripControls, escapeControlsInJson } from './sanitize.js'
import { selectFields, selectFromDocument } from './select.js'
import type { Style } from './style.js'
import { tsvLine } from './tsv.js'

export type Write = (text: string) => void | Promise<void>

/** One page of a list, as the API sent it. */
export interface Listing {
  data: readonly unknown[]
  meta?: { next_cursor: string | null; has_more: boolean } | undefined
}

/** Narrower tables show only the beginning of ids, and so do wider ones that would have to leave out a column. */
const fullIdsWidth = 120

/** A table and a JSON document are printed when the last page is there. More than this would fill the memory. */
const keptBytesMax = 100 * 1024 * 1024

export class Printer {
  readonly style: Style
  readonly #write: Write

  constructor(style: Style, write: Write) {
    this.style = style
    this.#write = write
  }

  /** Throws `UnknownColumnError` for unknown columns, before there is anything to print. */
  expects(kind: ResourceColumns): void {
    chooseColumns(this.style, kind)
  }

  /** Prints text from outside, such as a transcript: sanitized at a terminal, escaped in a pipe. */
  async foreignText(text: string): Promise<void> {
    await this.#write(this.#ended(this.style.terminal ? stripControls(text) : escapeLines(text)))
  }

  /** Prints our own text unchanged. */
  async text(text: string): Promise<void> {
    await this.#write(this.#ended(this.style.terminal ? stripControls(text) : text))
  }

  /** Prints our own text with colors. The caller sanitizes text from outside. */
  async painted(text: string): Promise<void> {
    await this.#write(this.#ended(text))
  }

  /** Prints text drawn by a function that gets the colors. */
  async drawn(draw: (paint: Paint) => string): Promise<void> {
    await this.painted(draw(await this.#paint()))
  }

  /** Prints a JSON document in every style, with the selected columns only. */
  async json(value: unknown): Promise<void> {
    await this.#jsonOf(value, [])
  }

  /** `known` are the fields that the objects may have. */
  async #jsonOf(value: unknown, known: readonly string[]): Promise<void> {
    const { columns } = this.style
    await this.#writeJson([columns ? selectFromDocument(value, columns, known) : value], 2)
  }

  /** Prints the object of a reply `{ data }`, or the whole reply as JSON. */
  async record(body: { data: unknown }, kind: ResourceColumns): Promise<void> {
    const { style } = this
    if (style.format === 'json') return this.#jsonOf(body, kind.columns)
    if (style.format === 'ndjson') return this.jsonLines([body.data])
    if (style.format !== 'table') return (await this.#rows(kind))([body.data])
    const columns = style.columns && chooseColumns(style, kind, body.data)
    const { renderRecord } = await import('./record.js')
    const { withoutNoise } = await import('./noise.js')
    const data =
      style.terminal && !columns ? withoutNoise(body.data) : columns ? withComputed(body.data, kind) : body.data
    await this.#write(
      await renderRecord(
        data,
        kind,
        {
          ...style,
          width: style.terminal ? style.width : Infinity,
          paint: await this.#paint(),
          inWords: style.terminal,
        },
        columns,
      ),
    )
  }

  /** Prints pages of a list, streaming where the format allows. Returns the last page. */
  async list(pages: AsyncIterable<Listing>, kind: ResourceColumns): Promise<Listing> {
    if (this.style.format === 'json') return this.#document(limitKept(pages), kind)
    if (this.style.format === 'table') return this.#table(limitKept(pages), kind)
    const write =
      this.style.format === 'ndjson'
        ? (items: readonly unknown[]) => this.jsonLines(items, kind)
        : await this.#rows(kind)
    let last: Listing | undefined
    for await (const page of pages) {
      await write(page.data, page.meta?.has_more)
      last = page
    }
    return last ?? { data: [] }
  }

  /** Prints one page unchanged. Merges several into one document with all items and the last page's `meta`. */
  async #document(pages: AsyncIterable<Listing>, kind: ResourceColumns): Promise<Listing> {
    const all: Listing[] = []
    for await (const page of pages) all.push(page)
    const last = all.at(-1) ?? { data: [] }
    // Without an item, nothing else says that a field does not exist.
    if (all.every(({ data }) => data.length === 0)) this.expects(kind)
    await this.#jsonOf(all.length > 1 ? { data: all.flatMap(({ data }) => data), meta: last.meta } : last, kind.columns)
    return last
  }

  /** Prints objects as they arrive, one line each. */
  async stream(batches: AsyncIterable<readonly unknown[]>, kind: ResourceColumns): Promise<void> {
    const write = await this.lines(kind)
    for await (const batch of batches) await write(batch)
  }

  /** Writes one line per object as they arrive. JSON output is one object per line too, because a document would never end. */
  async lines(kind: ResourceColumns): Promise<(items: readonly unknown[]) => Promise<void>> {
    const { format } = this.style
    if (format === 'table') return this.#looseLines(kind)
    if (format === 'json' || format === 'ndjson') return (items) => this.jsonLines(items, kind)
    const write = await this.#rows(kind)
    return async (items) => {
      if (items.length > 0) await write(items, true)
    }
  }

  async #looseLines(kind: ResourceColumns): Promise<(items: readonly unknown[]) => Promise<void>> {
    const [{ Lines }, paint] = await Promise.all([import('./lines.js'), this.#paint()])
    const { terminal, width, columns } = this.style
    const shortIds = terminal && width < fullIdsWidth && !columns
    const lines = new Lines(chooseColumns(this.style, kind), { ...this.style, paint, shortIds, inWords: terminal })
    return async (items) => {
      for (const item of items) await this.#write(lines.line(withComputed(item, kind)))
    }
  }

  async #table(pages: AsyncIterable<Listing>, kind: ResourceColumns): Promise<Listing> {
    const all: unknown[] = []
    let last: Listing = { data: [] }
    for await (const page of pages) {
      for (const item of page.data) all.push(withComputed(item, kind))
      last = page
    }
    const { style } = this
    const chosen = chooseColumns(style, kind, all[0])
    if (all.length === 0 && style.terminal) return last
    const columns = style.terminal && !style.columns ? chosen.filter((column) => !isEmpty(column, kind, all)) : chosen
    const [{ renderTable, showsAllColumns }, { formatCell: cellOf }, { zoneNote }, paint] = await Promise.all([
      import('./table/table.js'),
      import('./table/cell.js'),
      import('./time.js'),
      this.#paint(),
    ])
    // A pipe has no width: nothing is cut, shortened or left out.
    const width = style.terminal ? style.width : Infinity
    const standIns = style.terminal && !style.columns ? kind.standIns : undefined
    const rowsWith = (shortIds: boolean) => {
      const cellStyle = { ...style, paint, shortIds, inWords: style.terminal }
      const cell = (column: string, item: unknown) =>
        cellOf(column, valueAt(item, column), { ...cellStyle, isDate: kind.dates?.includes(column) ?? false })
      return all.map((item) =>
        columns.map((column) => {
          const other = valueAt(item, column) === null ? standIns?.[column] : undefined
          return { ...cell(column, item), ...(other && { unlessShown: { column: other, cell: cell(other, item) } }) }
        }),
      )
    }
    const leastImportant = style.columns ? [] : kind.leastImportant
    const tableStyle = { width, header: style.header, bold: paint.bold, dim: paint.dim, leastImportant }
    const isNarrow = width < fullIdsWidth && !style.columns
    let rows = rowsWith(isNarrow)
    if (!isNarrow && !style.columns && !showsAllColumns(columns, rows, tableStyle)) rows = rowsWith(true)
    const footnote = rows.some((row) => row.some(({ isLocalTime }) => isLocalTime)) ? zoneNote() : undefined
    await this.#write(await renderTable(columns, rows, tableStyle, footnote))
    return last
  }

  /** Writes CSV or TSV. The first items decide the columns and write the header. */
  async #rows(kind: ResourceColumns): Promise<(items: readonly unknown[], mayGrow?: boolean) => Promise<void>> {
    const { style } = this
    const { FlatTable } = await import('./flatten.js')
    // Sanitizes each field separately: an unterminated sequence in one field would remove the next fields.
    const clean = style.terminal ? stripControls : (text: string) => text
    const csvLines = style.format === 'csv' ? (await import('../csv/lines.js')).csvLines : undefined
    let table: InstanceType<typeof FlatTable> | undefined
    return async (found, mayGrow = false) => {
      const items = kind.computed && style.columns ? found.map((item) => withComputed(item, kind)) : found
      const header = !table && style.header
      const flat = (table ??= new FlatTable(chooseColumns(style, kind, items[0]), items, mayGrow))
      const rows = [...(header ? [[...flat.columns]] : []), ...items.map((item) => flat.row(item))].map((row) =>
        row.map(clean),
      )
      await this.#write(
        csvLines ? csvLines(rows.map((row) => row.map(escapeFormulaExceptNumber))) : rows.map(tsvLine).join(''),
      )
    }
  }

  /** Prints objects as JSON, one on each line. */
  async jsonLines(items: readonly unknown[], kind?: ResourceColumns): Promise<void> {
    const { columns } = this.style
    await this.#writeJson(columns ? items.map((item) => selectFields(item, columns, kind?.columns)) : items)
  }

  async #writeJson(values: readonly unknown[], indent?: number): Promise<void> {
    const { filter, terminal } = this.style
    if (values.length === 0) return
    if (filter) {
      const result = await filter.apply(values.map((value) => JSON.stringify(value)).join('\n'))
      return this.#write(terminal ? stripControls(result) : result)
    }
    const json = values.map((value) => `${JSON.stringify(value, null, indent)}\n`).join('')
    await this.#write(terminal ? escapeControlsInJson(json) : json)
  }

  #ended(text: string): string {
    return text.endsWith('\n') || text === '' ? text : `${text}\n`
  }

  /** Loaded only for tables. It ignores NO_COLOR, so we set the color level. */
  async #paint(): Promise<Paint> {
    const { Chalk } = await import('chalk')
    return new Chalk({ level: this.style.color ? 1 : 0 })
  }
}

/** True for a column that only rows with a value need, if none has one. */
const isEmpty = (column: string, kind: ResourceColumns, rows: readonly unknown[]): boolean =>
  kind.ifAny?.includes(column) === true && rows.every((row) => (valueAt(row, column) ?? '') === '')

async function* limitKept(pages: AsyncIterable<Listing>): AsyncGenerator<Listing> {
  let length = 0
  for await (const page of pages) {
    length += JSON.stringify(page.data).length
    if (length > keptBytesMax)
      throw new Error('The list has more than 100 MB. Add --output ndjson, which prints each page as it arrives.')
    yield page
  }
}
