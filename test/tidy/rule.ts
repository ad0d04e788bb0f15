/** What a tidy rule is: what it looks at, what it finds wrong, and the planted faults that prove it looks. */
import type { Source } from './source.js'

export interface Rule {
  /** Completes "every file keeps to it: ...". */
  readonly name: string
  /** Which files it is about. A rule that covers no file of the project fails. */
  readonly covers: (path: string) => boolean
  /** What is wrong, one line a fault, the place first. `project` is every file, covered or not. */
  readonly faults: (covered: readonly Source[], project: readonly Source[]) => string[]
  readonly planted: readonly Planted[]
}

/** A small project given to a rule, and all that the rule must say of it: nothing, where a near miss is shown. */
export interface Planted {
  readonly files: Readonly<Record<string, string>>
  readonly faults: readonly string[]
}

/** The faults of a project, with the one that the rule had nothing to look at. */
export function judge(rule: Rule, project: readonly Source[]): string[] {
  const covered = project.filter((source) => rule.covers(source.path))
  return covered.length === 0 ? [`"${rule.name}" looked at no file`] : rule.faults(covered, project)
}

/** A rule's `faults` out of what is wrong in one file alone. */
export function inEach(faultsOf: (source: Source) => string[]): Rule['faults'] {
  return (covered) => covered.flatMap(faultsOf)
}
