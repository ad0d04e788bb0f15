/** Reads one line that a person types at a terminal, or a line that is not shown. */
import { createInterface, type Completer } from 'node:readline'
import { Writable } from 'node:stream'
import type { IO } from '../../../config/environment.js'
import { describePaste, onPaste } from './pasted-lines.js'
import type { Check } from './questions.js'

type Terminal = Pick<IO, 'stdin' | 'stderr'>

/** Ctrl-C or Ctrl-D at a question. The name is that of the prompt library's error, so that commands end the same way. */
class ClosedError extends Error {
  override readonly name = 'ExitPromptError'
}

export interface LineOptions {
  /** Asked again until it passes. */
  check: Check
  /** Completes the line at the Tab key. */
  completer?: Completer
  /** False for terminals that cannot redraw a line: the system edits it. */
  edits: boolean
  /** True if the line begins empty after a failed check. */
  isRetyped?: boolean
  /** True if nothing that is typed may be shown. */
  isHidden?: boolean
  /** How a failed check is shown. */
  style?: (verdict: string) => string
  /** What to say about several pasted lines, of which none is used. Without it, the first one is the answer. */
  ifSeveral?: string | undefined
}

/** Asks with a prompt and returns the line. One reader asks until the check passes, so that no key is shown or lost between. */
export function askLine({ stdin, stderr }: Terminal, prompt: string, options: LineOptions): Promise<string> {
  const {
    check,
    completer,
    edits,
    isRetyped = false,
    isHidden = false,
    style = (verdict) => verdict,
    ifSeveral,
  } = options
  const terminal = edits || isHidden
  const output = isHidden ? unseen() : stderr
  const lines = createInterface({ input: stdin, output, terminal, prompt, ...(completer && { completer }) })
  // The prompt comes after the reader has switched off the system's echo.
  const ask = () => {
    if (isHidden) stderr.write(prompt)
    lines.prompt(true)
  }
  return new Promise((resolve, reject) => {
    let isAnswered = false
    const judge = async (typed: string): Promise<void> => {
      const line = isHidden ? eraseDeleted(typed) : typed
      if (isHidden) stderr.write('\n')
      const verdict = await check(line)
      if (verdict === true) {
        isAnswered = true
        resolve(line)
        lines.close()
        return
      }
      stderr.write(`${style(verdict)}\n`)
      ask()
      if (edits && !isRetyped) lines.write(line)
    }
    // One line after the other: what is typed after the answer is not judged, and answers no later question.
    let judged = Promise.resolve()
    const judgeNext = (typed: string) =>
      void (judged = judged.then(() => (isAnswered ? undefined : judge(typed))).catch(reject))
    const judgeOnlyLine = (entered: readonly string[], unfinished: string) => {
      const count = entered.length + (unfinished.trim() === '' ? 0 : 1)
      if (isAnswered) return
      if (count < 2) return judgeNext(entered[0] ?? '')
      stderr.write(`${unfinished && '\n'}${style(describePaste(count, ifSeveral ?? ''))}\n`)
      ask()
    }
    if (ifSeveral === undefined) lines.on('line', judgeNext)
    else onPaste(lines, judgeOnlyLine)
    lines.once('SIGINT', () => lines.close())
    // After Ctrl-Z and fg, the reader is paused and the line has scrolled away.
    lines.on('SIGCONT', ask)
    // A reader that leaves the line to the system does not notice.
    if (!terminal) process.on('SIGCONT', ask)
    // The system turns Ctrl-C into a signal where it edits the line.
    const close = () => lines.close()
    if (!terminal) process.on('SIGINT', close)
    lines.once('close', () => {
      process.off('SIGCONT', ask)
      process.off('SIGINT', close)
      // The cursor is still behind the question.
      if (!isAnswered) stderr.write('\n')
      reject(new ClosedError('The question was closed.'))
    })
    ask()
  })
}

const unseen = () => new Writable({ write: (_piece, _encoding, done) => done() })

/** On TERM=dumb, Node puts the Backspace key into the line. */
function eraseDeleted(line: string): string {
  const kept: string[] = []
  for (const letter of line) {
    if (letter === '\u007f' || letter === '\b') kept.pop()
    else kept.push(letter)
  }
  return kept.join('')
}
