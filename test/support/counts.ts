/**
 * Ends a test run with the tests that failed, each with its messages, and a line that counts the tests. `.ci/run`
 * repeats these lines at its own end, where a reader of a long log looks first.
 */
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase, TestModule, TestSuite } from 'vitest/node'

interface Thrown {
  readonly message: string
  readonly name?: string
  readonly diff?: string
  readonly stacks?: readonly { readonly file: string; readonly line: number }[]
}

/** More lines of one message would hide the other failures. */
const linesOfMessage = 30

export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errorsOutsideTests: readonly Thrown[]): void {
    const count = { passed: 0, failed: errorsOutsideTests.length, skipped: 0, pending: 0 }
    const lines: string[] = []
    for (const module of modules) {
      const failedBefore = count.failed
      for (const test of module.children.allTests()) {
        const { state, errors = [] } = test.result()
        count[state] += 1
        if (state === 'failed') lines.push(...failure(titleOf(module, test), errors))
        if (test.diagnostic()?.flaky) lines.push(...secondTry(titleOf(module, test), errors))
      }
      // A hook that fails, or a file that does not load, is no test but counts as one: tests did not run.
      for (const suite of [...module.children.allSuites(), module])
        if (suite.errors().length > 0) {
          count.failed += 1
          lines.push(...failure(titleOf(module, suite), suite.errors()))
        }
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed += 1
    }
    for (const error of errorsOutsideTests) lines.push(...failure('outside of a test', [error]))
    const skipped = count.skipped + count.pending
    const tail = skipped > 0 ? `, ${skipped} skipped` : ''
    process.stdout.write([...lines, `${count.passed} passed, ${count.failed} failed${tail}`, ''].join('\n'))
  }
}

function titleOf(module: TestModule, entry: TestCase | TestSuite | TestModule): string {
  return [module.relativeModuleId, ...(entry.type === 'module' ? [] : [entry.fullName])].join(' > ')
}

function failure(title: string, errors: readonly Thrown[]): string[] {
  return [`FAILED: ${title}`, ...errors.flatMap(inLines)]
}

function secondTry(title: string, errors: readonly Thrown[]): string[] {
  return [`PASSED ONLY AT THE SECOND TRY: ${title}`, ...errors.flatMap(inLines)]
}

/** The message, the difference and the position, indented. */
function inLines({ name, message, diff, stacks = [] }: Thrown): string[] {
  const text = [`${name ?? 'Error'}: ${message}`, diff ?? ''].join('\n').trimEnd()
  const [at] = stacks
  const all = stripVTControlCharacters(text).split('\n')
  const cut = all.length > linesOfMessage ? [...all.slice(0, linesOfMessage), '…'] : all
  return [...cut, ...(at ? [`at ${at.file}:${at.line}`] : [])].map((line) => `  ${line}`)
}
