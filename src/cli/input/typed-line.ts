/** Reads one line that a person types at a terminal, or a line that is not shown. */
import { createInterface, type Completer } from 'node:readline'
import { Writable } from 'node:stream'
import type { IO } from '../../config/environment.js'

type Terminal = Pick<IO, 'stdin' | 'stderr'>

/** Ctrl-C or Ctrl-D at a question. The name is that of the prompt library's error, so that commands end the same way. */
class ClosedError extends Error {
  override readonly name = 'ExitPromptError'
}

export interface LineOptions {
  /** Completes the line at the Tab key. */
  completer?: Completer
  /** Text that stands on the line to be edited. */
  begun?: string
  /** False for terminals that cannot redraw a line: the system edits it. */
  edits: boolean
}

/** Asks with a prompt and returns the line. */
export function readLine({ stdin, stderr }: Terminal, prompt: string, options: LineOptions): Promise<string> {
  const { completer, begun = '', edits } = options
  const lines = createInterface({
    input: stdin,
    output: stderr,
    terminal: edits,
    prompt,
    ...(completer && { completer }),
  })
  return new Promise((resolve, reject) => {
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('SIGINT', () => lines.close())
    lines.once('close', () => reject(new ClosedError('The question was closed.')))
    lines.prompt()
    if (begun !== '' && edits) lines.write(begun)
  })
}

/** Reads a line without showing it. Works on every terminal. */
export async function readHiddenLine({ stdin, stderr }: Terminal, prompt: string): Promise<string> {
  stderr.write(prompt)
  const unseen = new Writable({ write: (_piece, _encoding, done) => done() })
  const line = await readLine({ stdin, stderr: unseen as unknown as IO['stderr'] }, '', { edits: true })
  stderr.write('\n')
  return eraseDeleted(line)
}

/** On TERM=dumb, Node puts the Backspace key into the line. */
function eraseDeleted(line: string): string {
  const kept: string[] = []
  for (const letter of line) {
    if (letter === '\u007f' || letter === '\b') kept.pop()
    else kept.push(letter)
  }
  return kept.join('')
}
