/** Random texts for property tests. */
import fc, { type StringConstraints } from 'fast-check'

/** Every code point except surrogates. fast-check's own unit `binary` takes a second to build. */
const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0, max: 0x2ff }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((point) => String.fromCodePoint(point))

export const anyText = (limits: Omit<StringConstraints, 'unit'> = {}) => fc.string({ ...limits, unit: anyCharacter })
