/** Builds SQL statements that know which tables they touch. */
import { Table } from './tables.js'

export interface Sql {
  readonly text: string
  readonly tables: readonly Table[]
}

type Part = Table | string | number

interface Built extends Sql {
  parts: readonly Part[]
}

/** The last statement that each place in the code built. Most places build the same one each time. */
const lastBuilt = new WeakMap<TemplateStringsArray, Built>()

/**
 * Builds a statement, as in sql`SELECT n FROM ${tables.leads} WHERE tenant = ?`. A table object becomes its name, and the store learns that the statement touches it. Other parts are
 * inserted as SQL text. Values are never inserted: write `?` and pass them to the store.
 */
export function sql(strings: TemplateStringsArray, ...parts: readonly Part[]): Sql {
  const last = lastBuilt.get(strings)
  if (last && parts.every((part, i) => part === last.parts[i])) return last
  const named = parts.map((part) => (part instanceof Table ? part.name : part))
  const built = {
    text: String.raw({ raw: strings }, ...named),
    tables: parts.filter((part) => part instanceof Table),
    parts,
  }
  lastBuilt.set(strings, built)
  return built
}
