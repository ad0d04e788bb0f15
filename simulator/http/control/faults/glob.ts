/**
 * Matches globs on paths and dotted names: `*` matches up to the next slash, `**` matches anything, `?` matches one
 * character.
 */

/** Bits in one word of a position set. */
const wordBits = 32

/** A set of positions in the glob, one bit each. */
type Positions = Uint32Array

/**
 * Compiles a glob into a test for whole texts. The test reads the text once and keeps the set of positions that may
 * match so far, 32 per word. Its time is the text's length times the glob's fields, with any number of stars.
 */
export function compileGlob(glob: string): (text: string) => boolean {
  const parts = partsOf(glob)
  const empty = (): Positions => new Uint32Array(Math.floor(parts.length / wordBits) + 1)
  const positionsOf = (fits: (part: string) => boolean): Positions => {
    const positions = empty()
    for (const [i, part] of parts.entries()) if (fits(part)) add(positions, i)
    return positions
  }
  const stars = positionsOf(isStar)
  const stays = { slash: positionsOf((part) => part === '**'), other: stars }
  const moves = new Map<string, Positions>()
  for (const part of new Set(parts)) {
    if (!isStar(part))
      moves.set(
        part,
        positionsOf((other) => other === part || (other === '?' && part !== '/')),
      )
  }
  const anyOther = positionsOf((part) => part === '?')
  const nothing = empty()
  const start = empty()
  add(start, 0)
  if (isStar(parts[0] ?? '')) add(start, 1)

  return (text) => {
    const positions = start.slice()
    for (const character of text) {
      const stay = character === '/' ? stays.slash : stays.other
      step(positions, stay, moves.get(character) ?? (character === '/' ? nothing : anyOther), stars)
    }
    return has(positions, parts.length)
  }
}

/** Tests paths below the base path. The glob may leave out the first slash. */
export const compilePathGlob = (glob: string): ((path: string) => boolean) =>
  compileGlob(glob.replace(/^(?![/*])/, '/'))

const isStar = (part: string): boolean => part === '*' || part === '**'

/** Splits a glob into stars and characters, and merges adjacent stars. */
function partsOf(glob: string): string[] {
  // A single star as the whole glob matches everything.
  const written = (glob === '*' ? '**' : glob).match(/\*\*|[^]/gu) ?? []
  const parts: string[] = []
  for (const part of written) {
    const last = parts.at(-1)
    if (last === undefined || !isStar(last) || !isStar(part)) parts.push(part)
    else if (part === '**') parts[parts.length - 1] = part
  }
  return parts
}

function add(positions: Positions, i: number): void {
  const word = Math.floor(i / wordBits)
  positions[word] = positions[word]! | (1 << (i % wordBits))
}

const has = (positions: Positions, i: number): boolean =>
  (positions[Math.floor(i / wordBits)]! & (1 << (i % wordBits))) !== 0

/**
 * Reads one character. Some positions stay, some move on by one. A star is also passed at once, because it may match
 * nothing.
 */
function step(positions: Positions, stay: Positions, move: Positions, stars: Positions): void {
  let carry = 0
  let carryPast = 0
  for (let i = 0; i < positions.length; i++) {
    const word = positions[i]!
    const moved = word & move[i]!
    const reached = (word & stay[i]!) | (moved << 1) | carry | carryPast
    carry = moved >>> (wordBits - 1)
    const passed = reached & stars[i]!
    positions[i] = reached | (passed << 1)
    carryPast = passed >>> (wordBits - 1)
  }
}
