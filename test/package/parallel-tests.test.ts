/** The Python example of docs/parallel-tests.md, run as it stands. */
import { execFile, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { blocksOf } from '../support/document.js'
import { simulate } from '../support/simulate.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) process.stderr.write('Skipped: the Python example. There is no python3 here.\n')

it.runIf(hasPython)('the Python tests pass against a simulator', async () => {
  const { text } = blocksOf('docs/parallel-tests.md').find(({ language }) => language === 'python') ?? { text: '' }
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'lead_test.py'), text)
  const { url } = await simulate({ allowLocalWebhooks: true })
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, SVC_CONTROL_URL: `${url}/_sim` }
  const { stderr } = await run('python3', ['lead_test.py'], { cwd: folder, env })
  expect(stderr).toMatch(/Ran 2 tests in [^]*OK\n$/)
})
