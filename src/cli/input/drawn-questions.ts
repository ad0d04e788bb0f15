/** Questions that are redrawn while the person types: lists that typing filters, and lines to edit. */
import { styleText } from 'node:util'
import type { IO } from '../../config/environment.js'
import { wantsColor } from '../../output/style.js'
import { completeFileName } from './file-names.js'
import type { Choice, Questions } from './questions.js'
import { readLine } from './typed-line.js'

/** Loads the library that draws them. */
export async function drawnQuestions(io: IO): Promise<Questions> {
  const { createPromptModule } = await import('inquirer')
  const prompt = createPromptModule({ input: io.stdin, output: io.stderr })
  const paint = (style: Parameters<typeof styleText>[0], text: string) =>
    wantsColor(Boolean(io.stderr.isTTY), io.env, true) ? styleText(style, text, { validateStream: false }) : text
  return {
    text: async (message, validate) =>
      (await prompt<{ value: string }>([{ name: 'value', type: 'input', message, validate }])).value,
    // The library's line has no completion.
    fileName: async (message, check) => {
      const question = `${paint('blue', '?')} ${paint('bold', message)} `
      for (let typed = ''; ;) {
        typed = await readLine(io, question, { completer: completeFileName, begun: typed, edits: true })
        const verdict = await check(typed)
        if (verdict === true) return typed
        io.stderr.write(`${paint('red', `> ${verdict}`)}\n`)
      }
    },
    secret: async (message, validate) =>
      (await prompt<{ value: string }>([{ name: 'value', type: 'password', message, validate }])).value,
    pick: async (message, choices, isOpen) => {
      const list = { name: 'value', type: 'search', message, source: offerMatches(choices, isOpen), pageSize: 12 }
      // The library's types do not know what a list with a search takes.
      return (await prompt<{ value: string }>([list] as never)).value
    },
    pickSeveral: async (message, choices) => {
      const list = { name: 'value', type: 'checkbox', message, choices, validate: isPicked } as const
      return (await prompt<{ value: string[] }>([list])).value
    },
    yesOrNo: async (message, usual) =>
      (await prompt<{ sure: boolean }>([{ name: 'sure', type: 'confirm', message, default: usual }])).sure,
  }
}

/** The choices that contain what was typed so far; the typed text itself if it may be used and none does. */
function offerMatches(choices: readonly Choice[], isOpen: boolean) {
  return (typed: string | undefined): Choice[] => {
    const text = (typed ?? '').trim()
    const found = choices.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
    return found.length > 0 || !isOpen ? found : [{ name: `Use ${text}`, value: text }]
  }
}

const isPicked = (values: readonly unknown[]): string | true =>
  values.length > 0 || 'Pick one at least, with the space bar.'
