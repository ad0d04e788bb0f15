/** Matches globs on paths and dotted names: `*` is a part up to the next slash, two stars are anything, `?` is one character. */

/** Bits of one word of a set of positions. */
const wordBits = 32

/** A set of positions in the glob, one bit each. */
type Positions = Uint32Array

/**
 * Compiles a glob into a test for whole texts. The test reads the text once and keeps the positions of the glob that may
 * match so far, 32 to a word: its time is the text's length times the words of the glob, whatever stars the glob has.
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

/** Tests paths below the base address; the slash they begin with may be left out of the glob. */
export const compilePathGlob = (glob: string): ((path: string) => boolean) =>
  compileGlob(glob.replace(/^(?![/*])/, '/'))

const isStar = (part: string): boolean => part === '*' || part === '**'

/** Stars and characters. Stars next to each other are one: each star then leads to a part that is none. */
function partsOf(glob: string): string[] {
  // One star by itself is two.
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

/** Reads one character: some positions stay, some move on by one, and a star is passed at once, as it may match nothing. */
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
