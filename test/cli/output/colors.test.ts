/** Colors that can be read on light and on dark backgrounds, and screens that mean the same without them. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { describe, expect, it } from 'vitest'
import { SvcAt } from '../../support/programs/svc-at.js'
import { hasTerminals, runAtTerminal } from '../../support/programs/terminal.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Reset, bold, dim, and red, green, yellow and cyan text. White, black, bright colors and backgrounds vanish somewhere. */
const readable = new Set(['0', '1', '2', '22', '31', '32', '33', '36', '39'])

/** The codes of all colors and styles in a text. */
const codesIn = (text: string) =>
  [...text.matchAll(new RegExp(String.raw`(?:\u001b|\\u001b|\\x1b)\[([\d;]*)m`, 'g'))].flatMap(([, codes = '']) =>
    codes.split(';'),
  )

const screens: readonly (readonly string[])[] = [
  ['leads', 'list'],
  ['leads', 'get', '+15550100001'],
  ['calls', 'list'],
  ['campaigns', 'list'],
  ['webhooks', 'list'],
  ['simulate', 'deliveries'],
  ['simulate', 'agenda'],
  ['usage', '--chart'],
  ['leads', 'explain', '+15550100001'],
  ['leads', 'list', '--limit', '0'],
  ['usage', '--period', 'x'],
  ['leads', 'add', '--help'],
]

describe.runIf(hasTerminals)('a screen', () => {
  it('uses colors for light and dark backgrounds only, and says the same words without colors', async () => {
    const at = await SvcAt.start({ now: '2026-10-01T15:00:00Z', paused: true, allowLocalWebhooks: true }, 'test')
    await at.data('webhooks', 'create', '--url', 'http://127.0.0.1:9/', '--event', 'lead.created,call.completed')
    for (const phone of ['+15550100001', '+15550100002', '+12125557812'])
      await at.simulation.lead({ phone, name: 'Ann' }, at.client)
    await at.simulation.advance('1h')
    const used = new Set<string>()
    for (const words of screens) {
      const show = async (env: Record<string, string>) => {
        const { screen } = await runAtTerminal(at.svc, words, { env: { ...at.env, TZ: 'UTC', ...env }, columns: 160 })
        return screen.replaceAll(/req_\w+/g, 'req_x')
      }
      const [colored, plain] = [await show({}), await show({ NO_COLOR: '1' })]
      for (const code of codesIn(colored)) used.add(code)
      expect(codesIn(plain), words.join(' ')).toEqual([])
      expect(stripVTControlCharacters(colored), words.join(' ')).toBe(plain)
    }
    expect([...used].filter((code) => !readable.has(code))).toEqual([])
    // The screens do have colors.
    expect([...used]).toEqual(expect.arrayContaining(['1', '2', '31', '32', '33']))
  })
})

it('no source file paints with a color that vanishes on a light or a dark background', () => {
  const files = ['src', 'commands'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  )
  const vanishing =
    /\b(?:paint|chalk)\.(?:white|black|gr[ae]y|bg[A-Z]\w*|\w+Bright|hex|rgb|ansi256)\b|paint\('(?:white|black)/
  const bad = files.filter((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return vanishing.test(text) || codesIn(text).some((code) => !readable.has(code))
  })
  expect(bad).toEqual([])
})
