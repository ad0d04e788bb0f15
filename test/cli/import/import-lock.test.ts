/** The lock of an import whose process has died: of several runs that find it, one takes it over. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { Program } from '../../support/programs/program.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

/** No system gives a process such a number. */
const deadProcess = 2 ** 30
const rounds = 300

it('a stale lock of an import is taken over by one of three processes that find it at once', async () => {
  const folder = temporaryFolder()
  const programs = [0, 1, 2].map(() => Program.start('programs/import-lock-program.ts'))
  for (const program of programs) expect(await program.line()).toBe('ready')
  for (let round = 0; round < rounds; round++) {
    const path = join(folder, `${round}.lock`)
    writeFileSync(path, String(deadProcess))
    for (const program of programs) program.type(`${path}\n`)
    const answers = await Promise.all(programs.map((program) => program.line()))
    expect(answers.sort(), `round ${round}`).toEqual(['refused', 'refused', 'taken'])
  }
  expect(readdirSync(folder)).toHaveLength(rounds)
})
