/** Checks the shape of every exchange of a run against the contract, and reports it by rule. */
import type { Masks } from './mask.js'
import type { Recorded } from './recorded.js'
import type { CheckResult } from './result.js'

export class ShapeLog {
  constructor(readonly basePath: string) {}

  add(_exchange: Recorded): void {}

  results(_masks: Masks): CheckResult[] {
    return []
  }
}
