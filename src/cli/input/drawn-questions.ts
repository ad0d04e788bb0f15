/** Questions that are redrawn while the person types: lists that typing filters, and lines to edit. */
import { styleText } from 'node:util'
import type { IO } from '../../config/environment.js'
import { wantsColor } from '../../output/style.js'
import { widthOf, wrapWords } from '../../output/table/width.js'
import { completeFileName } from './file-names.js'
import { offerChoices } from './offered-choices.js'
import type { Questions } from './questions.js'
import { askLine } from './typed-line.js'

/** Narrower terminals break the lines of a question themselves. */
const narrowestQuestion = 20

interface Question {
  type: 'input' | 'password' | 'search' | 'checkbox' | 'confirm'
  message: string
  [option: string]: unknown
}

/** Loads the library that draws them. */
export async function drawnQuestions(io: IO): Promise<Questions> {
  const { createPromptModule } = await import('inquirer')
  const askOnce = createPromptModule({ input: io.stdin, output: io.stderr })
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    wantsColor(Boolean(io.stderr.isTTY), io.env, true) ? styleText(style, text, { validateStream: false }) : text
  const prompt = async (question: Question): Promise<unknown> => {
    // The library stops reading when the program is stopped by Ctrl-Z. After fg, it reads on and draws at the next key.
    let wasStopped = false
    const goOn = () =>
      setImmediate(() => {
        wasStopped = true
        io.stdin.resume()
        io.stderr.write(`${paint('blue', '?')} ${paint('bold', question.message)} `)
      })
    process.on('SIGCONT', goOn)
    try {
      // Its types do not know what a list with a search takes.
      return (await askOnce<{ value: unknown }>([{ name: 'value', ...question }] as never)).value
    } finally {
      process.removeListener('SIGCONT', goOn)
      // It does not know that it reads again, and would keep the program waiting for keys.
      if (wasStopped) io.stdin.pause()
    }
  }
  /** Puts the check mark of answered questions in front. A question of several lines keeps its question mark. */
  const markAnswered = (line: string): void => {
    if (widthOf(line) + 2 < (io.stderr.columns || 80))
      io.stderr.write(`\u001b[A\u001b[G${paint('green', '✔')}\u001b[B\u001b[G`)
  }
  return {
    text: async (message, validate) => String(await prompt({ type: 'input', message, validate })),
    // The library's line has no completion.
    fileName: async (message, check) => {
      const question = `${paint('blue', '?')} ${paint('bold', message)} `
      const style = (verdict: string) => paint('red', `> ${verdict}`)
      const typed = await askLine(io, question, { check, style, completer: completeFileName, edits: true })
      markAnswered(`${message} ${typed}`)
      return typed
    },
    secret: async (message, validate) => String(await prompt({ type: 'password', message, validate })),
    pick: async (message, choices, options) => {
      const source = (typed: string | undefined) => offerChoices(choices, options, typed)
      return String(await prompt({ type: 'search', message, source, pageSize: 12 }))
    },
    pickSeveral: async (message, choices) =>
      (await prompt({ type: 'checkbox', message, choices, validate: isPicked })) as string[],
    yesOrNo: async (message, usual) => {
      const room = (io.stderr.columns || 80) - '? '.length - ' (y/N) yes'.length
      const wrapped = wrapWords(message, Math.max(room, narrowestQuestion)).join('\n  ')
      return (await prompt({ type: 'confirm', message: wrapped, default: usual })) === true
    },
  }
}

const isPicked = (values: readonly unknown[]): string | true =>
  values.length > 0 || 'Pick one at least, with the space bar.'
