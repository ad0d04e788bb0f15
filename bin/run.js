#!/usr/bin/env node
// Starts the built program. The version is answered without loading anything.
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'

const [first, second] = process.argv.slice(2)
const program = new URL('../dist/src/cli/main.js', import.meta.url)
if ((first === '--version' || first === '-v') && second === undefined) {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
} else if (existsSync(program)) {
  // Node 22 and later keep what they have compiled.
  module.enableCompileCache?.()
  const { main } = await import(program.href)
  await main(import.meta.url)
} else {
  process.stderr.write('Error: svc is not built yet.\n  npm run build builds it.\n')
  process.exitCode = 1
}
