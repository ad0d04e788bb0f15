/** Every endpoint of the API is reached by a command, and every command shows ways to say it that work. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { control } from '../../../src/contract/control.js'
import { onBehalfEndpoints } from '../../../src/contract/control/on-behalf.js'
import { contract, type EndpointName } from '../../../src/contract/index.js'
import { commandIn, commands, folder, read, svcWordsIn } from '../../support/programs/command-lines.js'

const kit = fileURLToPath(new URL('../../../src/cli', import.meta.url))
const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))

/** The same requests with the campaign in their path. Commands name the campaign in the body instead. */
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

/** Routes that only the console uses. Commands show the same in other ways. */
const consoleOnly = [
  ...['pulse', 'getSchedule', 'getFigures', 'listLeadsInApp', 'getLeadStory', 'getDelivery', 'stopAdvance'],
  ...['listFaults', 'removeFault'],
  ...Object.keys(onBehalfEndpoints),
]

it('every route of the control plane is reached by a command of svc simulate', () => {
  const reached = called([join(folder, 'simulate'), kit])
  expect(Object.keys(control).filter((name) => !reached.has(name) && !consoleOnly.includes(name))).toEqual([])
})

it('every endpoint is reached by a command', () => {
  const reached = called([folder, kit])
  const names = Object.keys(contract) as EndpointName[]
  const unreached = names.filter((name) => !reached.has(name) && !reached.has(twins[name] ?? name))
  expect(unreached).toEqual([])
})

describe.each([...commands])('svc %s', (typed, command) => {
  it('says what it does in a line, and more below', () => {
    expect(command.summary).toMatch(/^\S.*[^.]$/)
    expect(command.description).toMatch(/\.$/)
  })

  it('has examples that it would take', async () => {
    const examples = (command.examples ?? []).map(String)
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const [words = []] = svcWordsIn(example)
      expect(commandIn(words), example).toBe(typed)
      await expect(read(words), example).resolves.toBeUndefined()
    }
  })
})
