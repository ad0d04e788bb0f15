/**
 * Rows of one table as objects of one shape, wherever they come from. An object that is filled name by name, or spread
 * from others, is kept by the engine as a table of names once it has more than a dozen: slow to make, to read and to let
 * go, larger, and each of a shape of its own, so that whoever reads some of them looks every name up anew. One that a
 * literal makes is not, and literals with the same names in the same order make the same shape.
 */
import { compileFunction } from 'node:vm'

/** Makes an object of what is at hand. */
export type RowFactory<From> = (from: From) => Record<string, unknown>

/** Makes objects with these names, each with what `from` has at its place there. */
export function createRowFactory<From>(
  names: readonly string[],
  place: (name: string, i: number) => string | number,
): RowFactory<From> {
  const members = names.map((name, i) => `${JSON.stringify(name)}: from[${JSON.stringify(place(name, i))}]`)
  return compileFunction(`return { ${members.join(', ')} }`, ['from']) as RowFactory<From>
}
