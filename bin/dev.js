#!/usr/bin/env -S node --import tsx
// Starts the program from its sources, with no build and no manifest.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run, settings } from '@oclif/core'

const root = fileURLToPath(new URL('..', import.meta.url))
const pjson = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
pjson.oclif.commands = './commands'
pjson.oclif.hooks = { command_not_found: './src/cli/hooks/command-not-found' }
settings.enableAutoTranspile = false
await run(undefined, { root, pjson, ignoreManifest: true })
