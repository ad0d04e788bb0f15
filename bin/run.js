#!/usr/bin/env node
// Starts the built program. The version is answered without loading anything, and completion without the commands.
import { existsSync, readFileSync } from 'node:fs'

// NO_COLOR wins. With both set, Node writes a warning to stderr.
if (process.env['NO_COLOR']) delete process.env['FORCE_COLOR']
const [first, second] = process.argv.slice(2)
const program = new URL('../dist/src/cli/base/main.js', import.meta.url)
if (['--version', '-v', '-V', 'version'].includes(first) && second === undefined) {
  process.stdout.on('error', ({ code, message }) => {
    if (code === 'EPIPE') process.exit()
    process.stderr.write(`Error: The version cannot be written: ${message}.\n`)
    process.exit(1)
  })
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
} else if (first === 'complete' && existsSync(program)) {
  const { complete } = await import(new URL('../dist/src/cli/completion/complete.js', import.meta.url).href)
  await complete(new URL('../', import.meta.url), process.argv.slice(3))
} else if (existsSync(program)) {
  // Reading source maps takes time that only the reader of a stack trace wants to spend.
  if (process.env.SVC_DEBUG) process.setSourceMapsEnabled(true)
  const { main } = await import(program.href)
  await main(import.meta.url)
} else {
  process.stderr.write('Error: svc is not built yet.\n  npm run build builds it.\n')
  process.exitCode = 1
}
