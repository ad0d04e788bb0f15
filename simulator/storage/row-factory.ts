/**
 * Creates row objects of one table with one shape. V8 stores an object with more than a dozen properties as a hash
 * table if they are added one by one. That is slower and larger, and each such object has a different shape. Object
 * literals with the same names in the same order share one shape, so the factory is generated code with a literal.
 */
import { compileFunction } from 'node:vm'

/** Makes a row object from source values. */
export type RowFactory<From> = (from: From) => Record<string, unknown>

/** Creates a factory for objects with these names. `place` says where `from` holds each value. */
export function createRowFactory<From>(
  names: readonly string[],
  place: (name: string, i: number) => string | number,
): RowFactory<From> {
  const members = names.map((name, i) => `${JSON.stringify(name)}: from[${JSON.stringify(place(name, i))}]`)
  return compileFunction(`return { ${members.join(', ')} }`, ['from']) as RowFactory<From>
}
