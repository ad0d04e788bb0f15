/** Drops the fields of a record that say nothing to a person at a terminal. Scripts and `--columns` still get them. */

/** Values by field that a person expects, so that only others are shown. */
const expected: Readonly<Record<string, unknown>> = {
  livemode: false,
  dry_run: false,
  requeued: false,
  any_hour: false,
  late: false,
}

/** Fields that repeat what the person asked for, or the text next to them. */
const repeated: ReadonlySet<string> = new Set(['object', 'last_outcome_label', 'outcome_label'])

/** The record without expected values. Lists keep their items. */
export function withoutNoise(record: unknown): unknown {
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return record
  return Object.fromEntries(
    Object.entries(record).filter(
      ([name, value]) => !repeated.has(name) && !(name in expected && expected[name] === value),
    ),
  )
}
