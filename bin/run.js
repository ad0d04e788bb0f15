#!/usr/bin/env node
// Starts the built program. The version is answered without loading anything.
import { readFileSync } from 'node:fs'

const [first, second] = process.argv.slice(2)
if ((first === '--version' || first === '-v') && second === undefined) {
  const { name, version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stdout.write(`${name}/${version} ${process.platform}-${process.arch} node-${process.version}\n`)
} else {
  // A closed pipe ends the program quietly.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => process.exit(error.code === 'EPIPE' ? 0 : 1))
  }
  try {
    const { run } = await import('@oclif/core/run')
    await run(undefined, import.meta.url)
  } catch (error) {
    const code = error?.oclif?.exit ?? 1
    if (error?.code !== 'EEXIT' && code !== 0) {
      process.stderr.write(`Error: ${String(error?.message ?? error).split('\n')[0]}\n`)
      if (process.env.SVC_DEBUG) process.stderr.write(`${error?.stack}\n`)
    }
    process.exitCode = code
  }
}
