#!/usr/bin/env -S node --import tsx
// Starts the program from its sources, with no build and no manifest.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { Config, Plugin, settings } from '@oclif/core'
import { main } from '../src/cli/base/main.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const pjson = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
pjson.oclif.commands = './commands'
pjson.oclif.hooks = { command_not_found: './src/cli/base/hooks/command-not-found' }
pjson.oclif.helpClass = './src/cli/help/help'
settings.enableAutoTranspile = false
// A manifest that a build left behind would lead to what was built.
const plugin = new Plugin({ root, pjson, isRoot: true, ignoreManifest: true })
await plugin.load()
const config = await Config.load({ root, pjson, plugins: new Map([[plugin.name, plugin]]) })
await main(config)
