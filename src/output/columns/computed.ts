/** Adds the columns that are computed from an object to the object, for tables and flat text. */
import type { ResourceColumns } from './resources.js'

export function withComputed(item: unknown, { computed }: Pick<ResourceColumns, 'computed'>): unknown {
  if (computed === undefined || typeof item !== 'object' || item === null) return item
  const values = Object.entries(computed).map(([column, compute]) => [column, compute(item)] as const)
  return { ...item, ...Object.fromEntries(values) }
}
