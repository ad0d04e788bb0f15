/** What the package gives to import: loaded from what is built, it needs nothing that is not installed with it. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types: string; default: string } | string>
  dependencies: Record<string, string>
  scripts: Record<string, string>
}
const doors = Object.entries(description.exports).flatMap(([name, files]) =>
  typeof files === 'string' ? [] : [[name, files] as const],
)

/** The packages that a file imports, and what it imports in turn does. */
function packagesOf(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return new Set()
  seen.add(file)
  const { importedFiles } = ts.preProcessFile(readFileSync(file, 'utf8'))
  const names = importedFiles.map(({ fileName }) => fileName).filter((name) => /^[@\w.][\w./:-]*$/.test(name))
  const found = new Set<string>()
  for (const name of names) {
    if (name.startsWith('node:')) continue
    if (!name.startsWith('.')) found.add(name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
    else for (const one of packagesOf(beside(file, name), seen)) found.add(one)
  }
  return found
}

/** Types import types: a `.js` that a `.d.ts` names is a `.d.ts` too. */
function beside(file: string, name: string): string {
  const path = join(dirname(file), name)
  return file.endsWith('.d.ts') ? path.replace(/\.js$/, '.d.ts') : path
}

describe.each(doors)('%s', (_name, { types, default: code }) => {
  it('is there, with its types', () => {
    expect([existsSync(join(root, types)), existsSync(join(root, code))]).toEqual([true, true])
  })

  it.each([types, code])('imports what is installed with the package alone: %s', (file) => {
    const own = Object.keys(description.dependencies)
    expect([...packagesOf(join(root, file))].filter((name) => !own.includes(name))).toEqual([])
  })
})

it('are three, and a receiver that verifies loads no package at all', () => {
  expect(doors.map(([name]) => name)).toEqual(['./webhooks', './client', './simulator'])
  const webhooks = doors.find(([name]) => name === './webhooks')?.[1].default ?? ''
  expect([...packagesOf(join(root, webhooks))]).toEqual([])
})

it('is not built once more when it is prepared, as npx does before its first run, if nothing has changed', () => {
  const { prepare = '' } = description.scripts
  expect(prepare).toMatch(/^node /)
  const builtAt = () => statSync(join(root, 'oclif.manifest.json')).mtimeMs
  const before = builtAt()
  const { status } = spawnSync(process.execPath, prepare.split(' ').slice(1), { cwd: root })
  expect([status, builtAt()]).toEqual([0, before])
})
