/** The search for the smallest number of lines, and the number that a table recommends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLines, linesAround, recommendLines } from '../../src/cli/plan/line-search.js'

/** A search over a rule, with the numbers that it asked about. */
async function search(makes: (lines: number) => boolean, options: { least?: number; most: number; atOnce?: number }) {
  const asked: number[] = []
  const probe = async (lines: number) => (asked.push(lines), Promise.resolve(makes(lines)))
  const found = await findLines({
    least: 1,
    atOnce: 2,
    ...options,
    probe,
    confirm: async (lines) => Promise.resolve(makes(lines)),
  })
  return { found, asked }
}

describe('the search for lines', () => {
  it('finds the smallest number that makes the deadline', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5_000 }),
        fc.nat(5_000),
        fc.integer({ min: 1, max: 9 }),
        async (needed, more, atOnce) => {
          const { found } = await search((lines) => lines >= needed, { most: needed + more, atOnce })
          expect(found).toBe(needed)
        },
      ),
    )
  })

  it('asks few numbers, and none below the least possible one', async () => {
    const { found, asked } = await search((lines) => lines >= 47, { least: 40, most: 20_000 })
    expect(found).toBe(47)
    expect(asked.length).toBeLessThanOrEqual(9)
    expect(Math.min(...asked)).toBeGreaterThanOrEqual(40)
  })

  it('is null after one question if a line for each lead is not enough', async () => {
    expect(await search(() => false, { most: 900 })).toEqual({ found: null, asked: [900] })
    expect((await search(() => true, { most: 0 })).found).toBeNull()
  })

  it('goes on above a number that passes its first seeds and fails in the others', async () => {
    const found = await findLines({
      least: 1,
      most: 100,
      atOnce: 2,
      probe: async (lines) => Promise.resolve(lines >= 20),
      confirm: async (lines) => Promise.resolve(lines >= 26),
    })
    expect(found).toBe(26)
  })

  it('needs no more lines than there are leads', async () => {
    expect((await search(() => true, { least: 50, most: 3 })).found).toBe(3)
  })
})

const row = (lines: number, makes_deadline: boolean | null) => ({ lines, makes_deadline })

describe('the recommended number of lines', () => {
  it('is the smallest one from which on every larger one makes the deadline', () => {
    expect(recommendLines([row(5, false), row(10, true), row(20, true)])).toBe(10)
    expect(recommendLines([row(20, true), row(10, true), row(5, true)])).toBe(5)
  })

  it('passes over a number that makes it while a larger one does not', () => {
    expect(recommendLines([row(10, true), row(15, false), row(20, true)])).toBe(20)
  })

  it('is null if the largest number misses it, or there is no deadline', () => {
    expect(recommendLines([row(10, true), row(20, false)])).toBeNull()
    expect(recommendLines([row(10, null)])).toBeNull()
    expect(recommendLines([])).toBeNull()
  })
})

describe('the numbers in the table', () => {
  it('are around the one that was found, with that of the campaign', () => {
    expect(linesAround(40, 20_000, undefined)).toEqual([20, 30, 40, 60])
    expect(linesAround(40, 20_000, 5)).toEqual([5, 30, 40, 60])
  })

  it('are from 1 to the number of leads', () => {
    expect(linesAround(1, 20, undefined)).toEqual([1, 2])
    expect(linesAround(2, 20, 5)).toEqual([1, 2, 3, 5])
    expect(linesAround(3, 4, 0)).toEqual([2, 3, 4])
  })
})
