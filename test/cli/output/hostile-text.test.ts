/** Text from outside that a terminal would obey, in every text field of every output format. */
import { describe, expect, it } from 'vitest'
import { quoteForShell } from '../../../src/cli/input/shell-word.js'
import { controlColumns } from '../../../src/output/columns/control.js'
import { formats } from '../../../src/output/format.js'
import { resourceColumns, type ResourceColumns } from '../../../src/output/columns/resources.js'
import { resultColumns } from '../../../src/output/columns/results.js'
import { maskSecrets } from '../../../src/output/mask.js'
import { Printer } from '../../../src/output/printer.js'
import { createRequestLogger } from '../../../src/cli/base/request-logger.js'
import { json, refuse, stubServer } from '../../support/servers/stub-server.js'
import { everyCommand, exampleOf, Svc } from '../../support/programs/svc.js'
import { hasTerminals, TerminalSvc } from '../../support/programs/terminal.js'

const escape = '\u001b'
/** An end of a title, a clipboard written to, colors, C1 forms, a turned direction; then strings without an end. */
const hostile = [
  `${escape}]0;title\u0007${escape}[2J${escape}[31mred${escape}c\u0000\b\u007f`,
  '\u009b31m\u009d52;c;ZXZpbA==\u009c\u0085\u202egnp\u202c\u2066\u2069',
  `\t\r\nnext line\r\\ ${escape}P unterminated ${escape}]52;c;unterminated`,
].join('')
const directionMarks = '\\u202a-\\u202e\\u2066-\\u2069'
const obeyed = new RegExp(`[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f${directionMarks}]`)

const hostileItem = (kind: ResourceColumns, columns: readonly string[]) =>
  Object.fromEntries([...new Set([...kind.columns, ...columns])].map((column) => [column, hostile]))

async function printed(
  style: { format: (typeof formats)[number]; terminal: boolean },
  print: (printer: Printer) => Promise<unknown>,
) {
  let text = ''
  const whole = { ...style, color: false, width: 4_000, header: true, columns: undefined, now: 0, utc: false }
  await print(new Printer(whole, (part) => void (text += part)))
  return text
}

async function* once<T>(page: T): AsyncGenerator<T> {
  yield await Promise.resolve(page)
}

const all = (
  Object.entries({ ...resourceColumns, ...resultColumns, ...controlColumns }) as [string, ResourceColumns][]
).filter(([, kind]) => 'columns' in kind && 'table' in kind)

describe.each(formats)('%s', (format) => {
  it.each([true, false])('obeys nothing and hides no row, at a terminal: %s', async (terminal) => {
    for (const [name, kind] of all) {
      const column = (format === 'table' ? kind.table : kind.columns)[0] ?? 'id'
      const rows = [hostileItem(kind, kind.table), { [column]: 'marker' }]
      const texts = [
        await printed({ format, terminal }, (printer) => printer.list(once({ data: rows }), kind)),
        await printed({ format, terminal }, (printer) => printer.record({ data: rows[0] }, kind)),
        await printed({ format, terminal }, async (printer) => (await printer.lines(kind))(rows)),
      ]
      expect(texts[0], name).toContain('marker')
      expect(texts[2], name).toContain('marker')
      // JSON escapes what it must, and CSV keeps the data as it is: both are for programs.
      const keepsData = !terminal && ['json', 'ndjson', 'csv'].includes(format)
      if (!keepsData)
        expect(texts.join('').replaceAll('\r\n', '\n'), `${name} ${JSON.stringify(texts)}`).not.toMatch(obeyed)
      if (format === 'tsv')
        expect(
          texts.map((text) => text.split('\n').length),
          name,
        ).toEqual([4, 3, 4])
    }
  })
})

it('a transcript keeps its lines in a pipe and has all else escaped', async () => {
  const said = `Agent: hi${escape}[2J\u009b\u202e\nLead: a\\b\tc`
  const text = await printed({ format: 'table', terminal: false }, (printer) => printer.foreignText(said))
  expect(text).toBe('Agent: hi\\x1b[2J\\x9b\\u202e\nLead: a\\\\b\\tc\n')
  const shown = await printed({ format: 'table', terminal: true }, (printer) =>
    printer.foreignText(`${hostile}\nmarker`),
  )
  expect(shown).toContain('\nmarker\n')
  expect(shown).not.toMatch(obeyed)
})

it('a word that is shown to be copied stays one quoted word', () => {
  for (const word of [`a ${escape}]x`, `${escape}]0;'$(touch x)`, `a\nb; rm`, `it's\u009d`])
    expect(quoteForShell(word)).toMatch(/^'[^']*('\\''[^']*)*'$/)
  expect(quoteForShell(`a ${escape}]x`)).toBe("'a '")
})

it('secrets are masked after a letter or a digit too', () => {
  for (const secret of ['cs_live_canary', 'cs_test_canary', 'whsec_canary', 'Bearer canary', 'Basic Y2FuYXJ5canary'])
    for (const before of ['x', '9', '_', ' ', '=']) expect(maskSecrets(before + secret)).not.toContain('canary')
})

it('--verbose shows no value of a header that may be a secret', () => {
  let text = ''
  const observer = createRequestLogger({ verbose: true, terminal: false, secrets: [], write: (part) => (text += part) })
  const headers = { 'X-Api-Key': 'canary', Cookie: 'canary', 'X-Own': 'canary', Accept: 'plain' }
  observer.sending?.({ method: 'GET', url: new URL('http://a.example/'), headers, timeoutMs: 0 }, 1)
  observer.answered?.(
    { status: 200, headers: { 'set-cookie': 'canary', 'x-auth-token': 'canary', via: 'seen' }, text: '' },
    1,
  )
  expect(text).not.toContain('canary')
  expect(text).toContain('Accept: plain')
  expect(text).toContain('via: seen')
})

/** Starts a world, or prints a script. */
const apart = ['simulate', 'demo', 'proxy', 'autocomplete', 'help', 'openapi']

describe('a service whose every text is hostile', () => {
  it.each(everyCommand().filter(([typed]) => !apart.includes(typed)))(
    'svc %s obeys none of it in a pipe',
    async (typed, command) => {
      const { baseUrl } = await stubServer((asked, response) => {
        const one = {
          id: hostile,
          name: hostile,
          status: hostile,
          phone: hostile,
          key_id: hostile,
          url: hostile,
          now: hostile,
        }
        const data = /s(\?|$)/.test(asked.path) && asked.method === 'GET' ? [one] : one
        if (asked.path.includes('fail')) refuse(response, 409, hostile)
        else json(response, 200, { data, meta: { next_cursor: hostile, has_more: true } })
      })
      const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', SVC_DEBUG: '1' }
      // A status that is not known is never the last, so the watch ends by its time limit.
      const limit = typed === 'leads watch' ? ' --timeout 0.1' : ''
      const ran = await new Svc(env).shell(exampleOf([typed, command]) + limit)
      // JSON and CSV keep the data as it is.
      if (!/json|csv|svc api/.test(exampleOf([typed, command]))) expect(ran.stdout).not.toMatch(obeyed)
      expect(ran.stderr).not.toMatch(obeyed)
    },
  )
})

it.runIf(hasTerminals)('a refusal and a countdown at a terminal are cleaned', async () => {
  let isFirst = true
  const { baseUrl } = await stubServer(({ path }, response) => {
    if (path === '/_sim/clock') refuse(response, 404, hostile)
    else if (isFirst) refuse(response, 429, hostile, { 'retry-after': '1' })
    else refuse(response, 409, hostile)
    isFirst &&= path === '/_sim/clock'
  })
  const env = { SVC_BASE_URL: baseUrl, SVC_SECRET: 'cs_test_a', SVC_DEBUG: '1', NO_COLOR: '1' }
  const { screen } = await new TerminalSvc(new Svc(), ['leads', 'get', 'a'], { env }).end()
  expect(screen).toContain('Waiting 1 s')
  expect(screen.replaceAll('\r\u001b[K', '').replaceAll('\r', '')).not.toMatch(obeyed)
})
