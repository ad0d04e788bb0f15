#!/usr/bin/env -S node --import tsx
// Starts the program from its sources, with no build and no manifest.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Config, flush, handle, run, settings } from '@oclif/core'

const root = fileURLToPath(new URL('..', import.meta.url))
const pjson = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
pjson.oclif.commands = './commands'
pjson.oclif.hooks = { command_not_found: './src/cli/hooks/command-not-found' }
settings.enableAutoTranspile = false
const config = await Config.load({ root, pjson, ignoreManifest: true })
await run(process.argv.slice(2), config).catch(handle)
await flush()
