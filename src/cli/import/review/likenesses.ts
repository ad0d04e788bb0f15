/** Rows that look like the person of an earlier row, who would be called at two numbers. */
import { amount } from '../result-sentence.js'
import type { Likeness } from './earlier-rows.js'

const shownMost = 3

export class Likenesses {
  readonly #shown: string[] = []
  #count = 0

  add(line: number, { line: earlier, by }: Likeness): void {
    this.#count++
    if (this.#shown.length < shownMost)
      this.#shown.push(`${earlier} and ${line} (${by === 'email' ? 'same e-mail' : 'shared number'})`)
  }

  /** The warning, with the first pairs of lines. None if no rows look so. */
  describe(): string[] {
    if (this.#count === 0) return []
    const [first = ''] = this.#shown
    if (this.#count === 1)
      return [
        `Warning: 2 rows look like one person with two numbers: lines ${first}. Remove one of them if nobody is to be called twice.`,
      ]
    const rest = this.#count - this.#shown.length
    const more = rest > 0 ? ` and ${rest.toLocaleString('en-US')} more` : ''
    return [
      `Warning: ${amount(this.#count, 'rows')} look like the person of an earlier row, with another number: lines ${this.#shown.join(', ')}${more}. Remove those that you do not want to call twice.`,
    ]
  }
}
