/** Lines of a file that have something in common: how many there are, and the first ones to show. */

const shownMost = 5

export class LineList {
  readonly #shown: number[] = []
  #count = 0
  /** The lines, each one once: a line may have several numbers. */
  #lines = 0
  #last: number | undefined

  get count(): number {
    return this.#count
  }

  add(line: number): void {
    this.#count++
    if (line === this.#last) return
    this.#last = line
    this.#lines++
    if (this.#shown.length < shownMost) this.#shown.push(line)
  }

  /** "line 4", "lines 4, 9, 12, 13, 20 and 1,200 more". */
  describe(): string {
    const rest = this.#lines - this.#shown.length
    const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
    return `${this.#lines === 1 ? 'line' : 'lines'} ${this.#shown.join(', ')}${more}`
  }
}
