/** Lines of a file that have something in common: how many there are, and the first ones to show. */

const shownMost = 5

export class LineList {
  readonly #shown: number[] = []
  #count = 0

  get count(): number {
    return this.#count
  }

  add(line: number): void {
    this.#count++
    if (this.#shown.length < shownMost) this.#shown.push(line)
  }

  /** "line 4", "lines 4, 9, 12, 13, 20 and 1,200 more". */
  describe(): string {
    const rest = this.#count - this.#shown.length
    const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
    return `${this.#count === 1 ? 'line' : 'lines'} ${this.#shown.join(', ')}${more}`
  }
}
