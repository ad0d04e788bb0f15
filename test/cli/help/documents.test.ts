/** The documentation names commands that there are, with flags that they have, and the command reference is theirs. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { startSimulator } from '../../../simulator/index.js'
import { exitMeanings } from '../../../src/cli/errors/exit-codes.js'
import type { WorldFileInput } from '../../../src/contract/control/world-file.js'
import { commandIn, commands, read, svcWordsIn } from '../../support/programs/command-lines.js'
import { blocksOf, pages, textOf, walks } from '../../support/document.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Commands in the middle of a sentence: what begins with `svc`. They may leave out what a command needs. */
const inSentences = (page: string): string[][] =>
  [...textOf(page).matchAll(/(?<!`)`(?:npx )?(svc [^`]+)`/g)].flatMap(([, text = '']) => svcWordsIn(text))

const isTopic = (words: readonly string[]) =>
  [...commands.keys()].some((typed) => typed.startsWith(`${words.join(' ')} `))

it.each(pages)('%s speaks of commands, and of flags that they have', async (page) => {
  for (const words of inSentences(page)) {
    if (words[0]?.startsWith('-') || isTopic(words)) continue
    const what = `${page}: svc ${words.join(' ')}`
    expect(commandIn(words), what).toBeDefined()
    await expect(read(words), what).resolves.toBeUndefined()
  }
})

it('every page that gives commands to type is typed by a test', () => {
  const typed: readonly string[] = Object.values(walks).flat()
  const given = pages.filter((page) => blocksOf(page).some(({ language }) => language === 'sh'))
  expect([...given].sort()).toEqual([...typed].sort())
  expect(pages.flatMap(inSentences).length).toBeGreaterThan(40)
})

it('the worlds it shows can be started with', async () => {
  const worlds = pages.flatMap(blocksOf).filter(({ language }) => language === 'json')
  expect(worlds.length).toBeGreaterThan(0)
  for (const { text } of worlds) {
    const simulator = await startSimulator({ world: JSON.parse(text) as WorldFileInput })
    await simulator.close()
  }
})

it('every exit code is told as svc help exit-codes tells it', () => {
  const page = textOf('docs/output-and-exit-codes.md')
  expect(Object.entries(exitMeanings).filter(([code, meaning]) => !page.includes(`| ${code} | ${meaning} |`))).toEqual(
    [],
  )
})

it.each(['command-reference.js', 'error-table.js'])('docs: the output of %s is up to date', async (name) => {
  const script = join(root, 'scripts', name)
  const output = await promisify(execFile)(process.execPath, ['--import', 'tsx', script, '--check']).catch(
    (error: object) => error,
  )
  expect(output).toEqual({ stdout: '', stderr: '' })
})
