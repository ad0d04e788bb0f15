/** Questions that are redrawn while the person types: lists that typing filters, and lines to edit. */
import { styleText } from 'node:util'
import type { IO } from '../../../config/environment.js'
import { wantsColor } from '../../../output/style.js'
import { widthOf, wrapWords } from '../../../output/table/width.js'
import { completeFileName } from '../file-names.js'
import type { Questions } from './questions.js'
import { searchQuestion } from './search-question.js'
import { askLine, type LineOptions } from './typed-line.js'
import { describeAnswers, readYesOrNo, yesOrNoHint } from './yes-or-no.js'

/** Narrower terminals break the lines of a question themselves. */
const narrowestQuestion = 20

/** Tab must not put a tab into the line. */
const noCompletion = (line: string): [string[], string] => [[], line]

interface Question {
  type: 'password' | 'search' | 'checkbox'
  message: string
  [option: string]: unknown
}

/** Loads the library that draws them. */
export async function drawnQuestions(io: IO): Promise<Questions> {
  const { createPromptModule } = await import('inquirer')
  const askOnce = createPromptModule({ input: io.stdin, output: io.stderr })
  askOnce.registerPrompt('search', searchQuestion as never)
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
    if (!line.includes('\n') && widthOf(line) + 2 < (io.stderr.columns || 80))
      io.stderr.write(`\u001b[A\u001b[G${paint('green', '✔')}\u001b[B\u001b[G`)
  }
  const styleVerdict = (verdict: string) => paint('red', `> ${verdict}`)
  const askForText = async (
    message: string,
    options: Pick<LineOptions, 'check' | 'ifSeveral' | 'completer'>,
  ): Promise<string> => {
    const question = `${paint('blue', '?')} ${paint('bold', message)} `
    const typed = await askLine(io, question, { style: styleVerdict, edits: true, ...options })
    markAnswered(`${message} ${typed}`)
    return typed
  }
  return {
    text: (message, check, ifSeveral = '') => askForText(message, { check, ifSeveral, completer: noCompletion }),
    fileName: (message, check) => askForText(message, { check, ifSeveral: '', completer: completeFileName }),
    secret: async (message, validate) => String(await prompt({ type: 'password', message, validate })),
    pick: async (message, choices, options) =>
      String(await prompt({ type: 'search', message, offered: { choices, ...options } })),
    pickSeveral: async (message, choices) => {
      const shown = choices.map(({ isPicked: checked = false, ...choice }) => ({ ...choice, checked }))
      return (await prompt({ type: 'checkbox', message, choices: shown, validate: isPicked })) as string[]
    },
    // The library answers the question when Tab or Ctrl-C is pressed.
    yesOrNo: async (message, options) => {
      const hint = yesOrNoHint(options)
      const room = (io.stderr.columns || 80) - widthOf(`?  ${hint} yes`)
      const wrapped = wrapWords(message, Math.max(room, narrowestQuestion)).join('\n  ')
      const typed = await askLine(io, `${paint('blue', '?')} ${paint('bold', wrapped)} ${hint} `, {
        check: (answer) => Promise.resolve(readYesOrNo(answer, options) !== undefined || describeAnswers(options)),
        style: styleVerdict,
        completer: noCompletion,
        edits: true,
        isRetyped: true,
      })
      markAnswered(`${wrapped} ${hint} ${typed}`)
      return readYesOrNo(typed, options) ?? 'no'
    },
  }
}

const isPicked = (values: readonly unknown[]): string | true =>
  values.length > 0 || 'Pick one at least, with the space bar.'
