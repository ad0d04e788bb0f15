/** Every endpoint of the API is reached by a command, and every command shows ways to say it that work. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from '@oclif/core/command'
import { parse } from '@oclif/core/parser'
import { describe, expect, it } from 'vitest'
import { control } from '../../src/contract/control.js'
import { contract, type EndpointName } from '../../src/contract/index.js'

const folderOf = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const folder = folderOf('commands')
const files = filesIn(folder)
const typedOf = (path: string) => path.replace(/\.ts$/, '').replaceAll('/', ' ')

/** Every command by what is typed. */
const commands = new Map<string, typeof Command>()
for (const path of files) {
  const module = (await import(join(folder, path))) as { default: typeof Command }
  commands.set(typedOf(path), module.default)
}

/** The same request with the campaign in its path: whoever names the campaign in the body has no use for them. */
const twins: Partial<Record<EndpointName, EndpointName>> = {
  createCampaignLead: 'createLead',
  createCampaignLeads: 'createLeads',
}

/** What the code of commands calls of a contract. Commands are thin: what several do, or what is long, is in their kit. */
function called(roots: readonly string[]): ReadonlySet<string> {
  const sources = roots.flatMap((root) => filesIn(root).map((path) => readFileSync(join(root, path), 'utf8')))
  const calls = sources.join('\n').matchAll(/\b(?:call|pages|follow)\(\s*'(\w+)'/g)
  return new Set([...calls].map(([, name = '']) => name))
}

it('every route of the control plane is reached by a command of svc simulate', () => {
  const reached = called([join(folder, 'simulate'), folderOf('src/cli')])
  expect(Object.keys(control).filter((name) => !reached.has(name))).toEqual([])
})

it('every endpoint is reached by a command', () => {
  const reached = called([folder, folderOf('src/cli')])
  const names = Object.keys(contract) as EndpointName[]
  const unreached = names.filter((name) => !reached.has(name) && !reached.has(twins[name] ?? name))
  expect(unreached).toEqual([])
})

/** What is typed after `svc` in an example, as a shell would cut it into words. */
function wordsOf(example: string): string[] {
  const line = example.replaceAll('<%= config.bin %>', 'svc')
  const [, own = ''] = /(?:^|\| |\()svc ([^]*)$/.exec(line) ?? []
  const words: string[] = []
  for (const [word] of own.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"')])+|\)/g)) {
    if (/^(\||&&|>|>>|\))$/.test(word)) break
    words.push(word.replaceAll(/["']/g, ''))
  }
  return words
}

/** The longest beginning of the words that is a command. */
function commandIn(words: readonly string[]): string | undefined {
  return words.map((_, at) => words.slice(0, words.length - at).join(' ')).find((typed) => commands.has(typed))
}

describe.each([...commands])('svc %s', (typed, command) => {
  it('says what it does in a line, and more below', () => {
    expect(command.summary).toMatch(/^\S.*[^.]$/)
    expect(command.description).toMatch(/\.$/)
  })

  it('has examples that it would take', async () => {
    const examples = (command.examples ?? []).map(String)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const words = wordsOf(example)
      expect(commandIn(words), example).toBe(typed)
      const rest = words.slice(typed.split(' ').length)
      const flags = { ...command.baseFlags, ...command.flags }
      await expect(parse(rest, { flags, args: command.args, strict: command.strict }), example).resolves.toBeDefined()
    }
  })
})
