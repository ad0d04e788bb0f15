import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Chalk } from 'chalk'
import stringWidth from 'string-width'
import { Lines } from '../../../src/output/lines.js'
import { renderTable } from '../../../src/output/table/table.js'
import { cutTo, widthOf } from '../../../src/output/table/width.js'

describe('the width of a text', () => {
  it.each([
    ['Ada', 3],
    ['', 0],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['李小龍', 6],
    ['김', 2],
    ['ｗｉｄｅ', 8],
    ['ok 🎉', 5],
    ['…', 1],
    ['🇨🇦', 2],
    ['👩‍👩‍👧‍👦 ok', 5],
    ['❤️', 2],
  ])('of "%s" is %i columns', (text, columns) => expect(widthOf(text)).toBe(columns))

  it('of every Latin letter and common sign is what the table of all characters says', () => {
    const signsTo = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => String.fromCodePoint(from + i))
    for (const sign of [...signsTo(0x20, 0x300), ...signsTo(0x2010, 0x2028)])
      expect(widthOf(sign)).toBe(stringWidth(sign))
  })

  it('is never more than what a text is cut to, and a text that fits is left whole', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.nat(40), (text, columns) => {
        const cut = cutTo(columns, text)
        expect(widthOf(cut)).toBeLessThanOrEqual(columns)
        if (widthOf(text) <= columns) expect(cut).toBe(text)
        else if (columns > 0) expect(cut.endsWith('…')).toBe(true)
      }),
    )
  })
})

const signs = ['a', ' ', '李', '김', 'é', '🎉', '🇨🇦', '👩‍👩‍👧‍👦', '👍🏽']

it.each([3, 600])(
  'a table of %i rows fits its terminal, whatever letters the names are in, and cuts none of them',
  async (count) => {
    const words = fc.string({ unit: fc.constantFrom(...signs), maxLength: 50 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(words, { minLength: count, maxLength: count }),
        fc.integer({ min: 40, max: 120 }),
        async (names, width) => {
          const rows = names.map((name, at) => [{ text: String(at) }, { text: name }, { text: name }])
          const table = await renderTable(['id', 'name', 'note'], rows, { width, header: true, bold: (text) => text })
          const lines = table.trimEnd().split('\n')
          expect(lines).toHaveLength(count + 1)
          expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(width)
          // Only whole characters: none is cut in the middle.
          const rest = signs.reduce((text, sign) => text.replaceAll(sign, ''), lines.slice(1).join(''))
          expect(rest).toMatch(/^[\d…]*$/)
        },
      ),
      { numRuns: count > 500 ? 5 : 60 },
    )
  },
)

it('what comes line after line stands in columns, whatever letters it is in', () => {
  const lines = new Lines(['name', 'id'], { paint: new Chalk({ level: 0 }), now: 0, utc: false })
  const shown = ['Ada Lee', '李小龍', '👩‍👩‍👧‍👦 🇨🇦'].map((name) => lines.line({ name, id: 'x' }))
  expect(shown.map((line) => widthOf(line.slice(0, line.indexOf('x'))))).toEqual([9, 9, 9])
})
