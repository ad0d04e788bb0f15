/** Types all commands of a documentation page into a terminal, as a reader would. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { blocksOf, programs } from '../document.js'
import { freePort } from '../servers/free-port.js'
import { ended, entry, Svc } from './svc.js'
import { hasTerminals } from './terminal.js'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** The output that the page shows after a block of commands, and the real output. */
interface Step {
  at: string
  stated: string
  shown: string
}

const simulatorReady = 'The simulator is ready'

/** Programs that keep running, each in its own terminal, and what they print when they are ready. */
const goOn: readonly (readonly [program: RegExp, ready: string])[] = [
  [/^(?:npx )?svc simulate(?!.* --exec )(?: --.*)?$/m, simulatorReady],
  [/^svc webhooks listen (?!--print-secret)(?!.*--(limit|max-events))/m, 'Ready'],
  [/node receiver\.m?js$/m, 'listening'],
]

/** False if pages cannot be typed: without a terminal, or without curl. */
const canWalk = hasTerminals && spawnSync('curl', ['--version']).status === 0

/** Tests that typing each page from top to bottom gives the output it shows, and no error elsewhere. */
export function itShows(pages: readonly string[]): void {
  describe.runIf(canWalk).concurrent('typed at a terminal', () => {
    it.each(pages)(
      '%s shows what it says',
      async (page) => {
        for (const step of await walk(page)) {
          if (step.stated === '') expect(step.shown, step.at).not.toMatch(/^Error: |not walked/m)
          else expect(asStated(step), step.at).toBe(step.stated)
        }
      },
      200_000,
    )
  })
}

/** Types every block of shell commands. The next block of text is the expected output. */
async function walk(page: string): Promise<Step[]> {
  const svc = new Svc({ NO_COLOR: '1', TERM: 'xterm', TZ: 'UTC', WALK_NODE: process.execPath, WALK_ENTRY: entry })
  const blocks = blocksOf(page)
  const ports = new Map([
    ['3000', String(await freePort())],
    ['4010', String(await freePort())],
  ])
  const here = (text: string) =>
    text
      .replace(/\b(3000|4010)\b/g, (port) => ports.get(port) ?? port)
      .replace(/^((?:npx )?svc simulate)(?!.* --exec )((?: --.*)?)$/gm, `$1 --port ${ports.get('4010')}$2`)

  layOut(svc.folder, here)
  // The program is already installed and built.
  const typed = blocks.filter(({ language, text }) => language === 'sh' && !text.startsWith('npm '))
  const screen = await typeAll(
    svc,
    typed.map(({ text }) => here(text)),
  )
  return typed.map((block, at) => {
    const next = blocks[blocks.indexOf(block) + 1]
    const stated = next?.language === 'text' ? here(next.text).trim() : ''
    return { at: `${page}:${block.line}`, stated, shown: screen[at] ?? 'The page was not walked as far as here.' }
  })
}

/** Prepares the folder like a clone, with the package and the programs of all pages. */
function layOut(folder: string, here: (text: string) => string): void {
  for (const name of ['node_modules', 'try', 'bin']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'bin', 'svc'), '#!/bin/sh\nexec "$WALK_NODE" "$WALK_ENTRY" "$@"\n', { mode: 0o755 })
  symlinkSync(root, join(folder, 'node_modules', 'lead-calling'), 'dir')
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  for (const [name, text] of programs)
    for (const place of ['.', 'try']) writeFileSync(join(folder, place, name), here(text))
}

const mark = '--- block ended ---'

/** The output of each text. Stops after the first one that fails. */
async function typeAll(svc: Svc, texts: readonly string[]): Promise<string[]> {
  const parts = texts.map((text, at) => {
    const ready = goOn.find(([program]) => program.test(text))?.[1]
    if (ready === undefined) return text
    const start = `{ ${text.trim()}\n} > said-${at} 2>&1 < /dev/null &\n`
    const stop = ready === simulatorReady ? 'kill -- -$simulator 2> /dev/null && wait $simulator || true\n' : ''
    return `${stop}${start}${stop && 'simulator=$!\n'}${until(ready, `said-${at}`)}\n`
  })
  const script = [opening, ...parts.map((part) => `${part}echo '${mark}'\n`)].join('')
  writeFileSync(join(svc.folder, 'walk.sh'), script)
  const env = { ...svc.env, SHELL: '/bin/sh' }
  // A command that waits forever ends with its terminal.
  const shell = spawn('script', ['-qefc', 'bash walk.sh', '/dev/null'], { env, cwd: svc.folder, timeout: 180_000 })
  const { stdout } = await ended(shell)
  return stdout
    .replace(/\r+\n/g, '\n')
    .replace(signs, '')
    .replace(/^.*\r/gm, '')
    .split(`${mark}\n`)
    .map((shown) => shown.replace(/ +$/gm, '').trim())
}

/** Long-running programs have their own process groups and end with the page. */
const opening = `set -emo pipefail
trap 'for group in $(jobs -p); do kill -- -$group; done 2>/dev/null' EXIT
PATH="$PWD/bin:$PATH"
npx() { "$@"; }
stty cols 100 rows 40 -echo
`

/** Escape sequences that move the cursor or set colors. */
const signs = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, 'g')

const until = (words: string, file: string) => `until grep -q '${words}' ${file}; do sleep 0.05; done`

/** The page's text if the output matches it: `…` matches any text in a line, and columns may be wider. */
function asStated({ stated, shown }: Step): string {
  const escaped = stated.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const pattern = escaped.replaceAll('…', '.*').replace(/ {2,}/g, ' +')
  return new RegExp(`^${pattern}$`).test(shown) ? stated : shown
}
