/** What the package does to the process that loads it, and to folders it shares with other users: nothing. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Code of the product: what the package is built from, and what starts it. */
const sources = ['bin', 'commands', 'simulator', 'src'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .map((file) => join(file.parentPath, file.name)),
)

// Bytecode in a folder that every user can create runs as the user who loads it.
it('no compile cache is enabled', () => {
  expect(sources.filter((path) => /compile_?cache/i.test(readFileSync(path, 'utf8')))).toEqual([])
})

it('no private modules of a package are loaded', () => {
  expect(sources.filter((path) => /['"](undici|fastify|zod)\/lib\//.test(readFileSync(path, 'utf8')))).toEqual([])
})

it('no V8 flags are set, except by svc simulate for its own process', () => {
  const setsFlags = sources.filter((path) => readFileSync(path, 'utf8').includes('setFlagsFromString'))
  expect(setsFlags).toEqual([join(root, 'commands', 'simulate.ts')])
})

it('no code is generated at run time', () => {
  const generates = /\b(compileFunction|new Function|runInThisContext|vm\.Script)\b|['"](node:)?vm['"]/
  expect(sources.filter((path) => generates.test(readFileSync(path, 'utf8')))).toEqual([])
})

it('a start writes nothing to the shared temporary folder', () => {
  const temporary = mkdtempSync(join(tmpdir(), 'temporary-'))
  onTestFinished(() => rmSync(temporary, { recursive: true, force: true }))
  const env = { PATH: process.env['PATH'] ?? '', HOME: temporary, TMPDIR: temporary, TMP: temporary, TEMP: temporary }
  for (const words of [['--version'], ['leads', '--help'], ['demo']]) {
    expect(spawnSync(process.execPath, [join(root, 'bin', 'run.js'), ...words], { env, cwd: temporary }).status).toBe(0)
  }
  expect(readdirSync(temporary)).toEqual([])
})
