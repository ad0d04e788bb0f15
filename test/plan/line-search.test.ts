/** The search for the smallest number of lines, and the number that a table recommends. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findLines, linesAround, recommendLines } from '../../src/cli/plan/line-search.js'

interface Searched {
  least?: number
  most: number
  atOnce?: number
  firstGuess?: number
  guess?: (lines: number) => number
  confirm?: (lines: number) => boolean
}

/** A search over a rule, with the numbers that it asked about. */
async function search(makes: (lines: number) => boolean, options: Searched) {
  const asked = new Set<number>()
  const { guess = (lines: number) => (makes(lines) ? lines - 1 : lines + 1), confirm = makes } = options
  const found = await findLines({
    ...{ least: 1, atOnce: 2, firstGuess: options.least ?? 1, ...options },
    probe: async (lines) => (asked.add(lines), Promise.resolve({ isMade: makes(lines), guess: guess(lines) })),
    confirm: async (lines) => Promise.resolve(confirm(lines)),
  })
  return { found, asked: [...asked] }
}

describe('the search for lines', () => {
  it('finds the smallest number that makes the deadline', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5_000 }),
        fc.nat(5_000),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: -10, max: 9_000 }),
        async (needed, more, atOnce, guessed) => {
          const makes = (lines: number) => lines >= needed
          const options = { most: needed + more, atOnce, firstGuess: guessed }
          expect((await search(makes, options)).found).toBe(needed)
          // A guess that is always the same, and wrong.
          expect((await search(makes, { ...options, guess: () => guessed })).found).toBe(needed)
        },
      ),
    )
  })

  it('asks few numbers, and none below the least possible one', async () => {
    const blind = await search((lines) => lines >= 47, { least: 40, most: 20_000 })
    expect(blind.found).toBe(47)
    expect(blind.asked.length).toBeLessThanOrEqual(12)
    expect(Math.min(...blind.asked)).toBeGreaterThanOrEqual(40)
    // A good guess leaves two neighbors to ask, and the largest number.
    const guided = await search((lines) => lines >= 47, { least: 30, most: 20_000, firstGuess: 47 })
    expect(guided).toEqual({ found: 47, asked: [20_000, 47, 46] })
    const near = await search((lines) => lines >= 470, { least: 30, most: 20_000, firstGuess: 440, guess: () => 468 })
    expect(near.found).toBe(470)
    expect(near.asked.length).toBeLessThanOrEqual(10)
  })

  it('asks further seeds where there are fewer numbers to try than threads', async () => {
    const counts: [lines: number, count: number][] = []
    await findLines({
      ...{ least: 4, most: 900, confirmed: 6, firstGuess: 5, atOnce: 4 },
      probe: async (lines, count) => (counts.push([lines, count]), Promise.resolve({ isMade: false, guess: 6 })),
      confirm: async () => Promise.resolve(true),
    })
    expect(counts).toEqual([
      [5, 2],
      [4, 2],
    ])
  })

  it('never asks beyond a number that is known to make the deadline', async () => {
    const known = { most: 900, confirmed: 60, firstGuess: 50 }
    const { found, asked } = await search((lines) => lines >= 52, known)
    expect(found).toBe(52)
    expect(Math.max(...asked)).toBeLessThan(60)
    expect((await search((lines) => lines >= 60, known)).found).toBe(60)
  })

  it('is null after one question if a line for each lead is not enough', async () => {
    expect(await search(() => false, { most: 900 })).toEqual({ found: null, asked: [900] })
    expect((await search(() => true, { most: 0 })).found).toBeNull()
  })

  it('goes on above a number that passes its first seeds and fails in the others', async () => {
    let hardest = 20
    // A seed that fails is asked from then on.
    const confirm = (lines: number) => lines >= (hardest = 26)
    expect((await search((lines) => lines >= hardest, { most: 100, confirm })).found).toBe(26)
    expect((await search((lines) => lines >= 20, { most: 100, confirm: () => false })).found).toBeNull()
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
    expect(linesAround(40, 20_000, undefined)).toEqual([30, 40, 60])
    expect(linesAround(40, 20_000, 5)).toEqual([5, 30, 40, 60])
    // One that was simulated anyway takes the place of its neighbor.
    expect(linesAround(40, 20_000, undefined, 44)).toEqual([30, 40, 44])
    expect(linesAround(40, 20_000, undefined, 35)).toEqual([35, 40, 60])
    expect(linesAround(40, 20_000, undefined, 90)).toEqual([30, 40, 60])
  })

  it('are from 1 to the number of leads', () => {
    expect(linesAround(1, 20, undefined)).toEqual([1, 2])
    expect(linesAround(2, 20, 5)).toEqual([1, 2, 3, 5])
    expect(linesAround(3, 4, 0)).toEqual([2, 3, 4])
  })
})
