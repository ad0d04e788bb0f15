/** Commands at a terminal against a simulator with a paused clock, without colors. */
import { stripVTControlCharacters } from 'node:util'
import { SvcAt } from './svc-at.js'
import { runAtTerminal } from './terminal.js'

export async function startAtTerminal() {
  const at = await SvcAt.start({ now: '2026-10-01T15:00:00Z', paused: true }, 'test')
  const run = async (words: readonly string[], columns = 120) => {
    const env = { ...at.env, NO_COLOR: '1', CI: '', TZ: 'UTC' }
    const { screen, code } = await runAtTerminal(at.svc, words, { env, columns })
    return { code, lines: stripVTControlCharacters(screen).trimEnd().split('\n') }
  }
  /** The last line that the command leaves on the screen. */
  const last = async (...words: string[]) => (await run(words)).lines.at(-1)
  const add = (...more: string[]) => run(['leads', 'add', '--campaign', 'Web leads', ...more])
  return { at, run, last, add }
}
