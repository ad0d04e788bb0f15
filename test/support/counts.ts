/** Prints the last line of a test run: how many tests passed and how many failed. */
import type { Reporter, TestModule } from 'vitest/node'

export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errorsOutsideTests: readonly unknown[]): void {
    const count = { passed: 0, failed: errorsOutsideTests.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const failedBefore = count.failed
      for (const test of module.children.allTests()) count[test.result().state] += 1
      // A file that failed to load, or a failed hook, counts as a failure: its tests did not run.
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed += 1
    }
    const skipped = count.skipped + count.pending
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    process.stdout.write(`${count.passed} passed, ${count.failed} failed${tail}\n`)
  }
}
