/** The first steps of the README, as a person types them who has never seen the program: only questions and answers. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import type { Lead } from '../../src/contract/leads.js'
import { SvcAt } from '../support/programs/svc-at.js'
import { hasTerminals, TerminalSvc } from '../support/programs/terminal.js'

const root = new URL('../../', import.meta.url)
const readme = readFileSync(new URL('README.md', root), 'utf8')

/** Lines of the README's dialogue that begins with this command. Typed answers and marks may stand apart from the labels. */
function dialogue(command: string): string[] {
  const [, text = ''] = new RegExp(`\`\`\`console\\n\\$ ${command}\\n([^]*?)\`\`\``).exec(readme) ?? []
  return text
    .trim()
    .split('\n')
    .map((line) => line.replace(/^✔ /, '').replace(/ +/g, ' '))
}

it.runIf(hasTerminals)('the dialogues of the README are what a person sees', async () => {
  const at = await SvcAt.start({}, 'test')
  mkdirSync(join(at.svc.folder, 'docs'))
  writeFileSync(join(at.svc.folder, 'docs/people.csv'), readFileSync(new URL('docs/people.csv', root)))
  const env = { ...at.env, NO_COLOR: '1', CI: '' }
  const play = async (command: string, answers: readonly (readonly [question: RegExp, typed: string])[]) => {
    const terminal = new TerminalSvc(at.svc, command.split(' ').slice(1), { env, columns: 200 })
    for (const [question, typed] of answers) {
      await terminal.shows(question)
      terminal.type(`${typed}\r`)
    }
    const shown = stripVTControlCharacters((await terminal.end()).screen).replace(/ +/g, ' ')
    const lines = dialogue(command)
    expect(lines.length).toBeGreaterThan(2)
    for (const part of lines.flatMap((line) => line.split(' … '))) expect(shown).toContain(part)
  }
  await play('svc leads add', [
    [/Campaign:[^]*Web leads/, ''],
    [/Phone:/, '(555) 010-0001'],
    [/Name \(optional\):/, 'Test Lead'],
  ])
  await play('svc leads import', [
    [/File \(Tab completes\):/, 'docs/people.csv'],
    [/Campaign:[^]*Web leads/, ''],
    [/\(y\/N\)/, 'y'],
  ])
  const leads = (await at.client.get<Lead[]>('/leads')).data
  expect(leads.map(({ name }) => name).sort()).toEqual(['Ann Lee', 'Test Lead'])
})
