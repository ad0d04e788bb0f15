/** The end of a CI run: its failed tests with their messages, and the count. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/temporary-folder.js'

const root = fileURLToPath(new URL('../..', import.meta.url))

const failing = `
let tries = 0
describe('leads', () => {
  it('are added', () => {})
  it('are read', () => expect({ status: 'queued' }).toEqual({ status: 'held' }))
  it('are changed', { retry: 1 }, () => expect(++tries).toBe(2))
})
describe('calls', () => {
  beforeAll(() => { throw new Error('the line is busy') })
  it('are made', () => {})
})
`

it('.ci/run ends with the failed tests, the tests that passed at the second try, and the count', () => {
  const folder = temporaryFolder()
  for (const [file, text] of [
    ['failing.test.js', failing],
    ['broken.test.js', "throw new Error('no such module')"],
  ] as const)
    writeFileSync(join(folder, file), text)
  // A stand-in for npm: installs nothing, and its tests are those above.
  const vitest = `"${process.execPath}" "${join(root, 'node_modules/vitest/vitest.mjs')}"`
  const run = `${vitest} run --globals --root "${folder}" --reporter default --reporter "${join(root, 'test/support/counts.ts')}"`
  const npm = `#!/bin/sh
case "$*" in
  test) ${run} ;;
  'run test:slow') echo 'FAILED: test/slow.test.ts > is slow'; echo '  Error: out of time'; echo; echo '4 passed, 1 failed'; exit 1 ;;
esac
`
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin', 'npm'), npm, { mode: 0o755 })
  const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: folder }
  const { status, stdout } = spawnSync('bash', [join(root, '.ci/run')], { env, encoding: 'utf8' })

  const [, , end = ''] = stdout.split(/^\d+ passed, \d+ failed.*\n/m)
  const titles = end.split('\n').filter((line) => /^\S/.test(line))
  expect(titles.sort()).toEqual([
    'FAILED: broken.test.js',
    'FAILED: failing.test.js > calls',
    'FAILED: failing.test.js > leads > are read',
    'FAILED: test/slow.test.ts > is slow',
    'PASSED ONLY AT THE SECOND TRY: failing.test.js > leads > are changed',
  ])
  expect(stdout.trimEnd().split('\n').at(-1)).toBe('6 passed, 4 failed, 1 skipped')
  for (const message of [
    'Error: no such module',
    'Error: the line is busy',
    '-   "status": "held",',
    'Error: out of time',
  ])
    expect(end).toContain(`  ${message}`)
  expect(status).toBe(1)
})
