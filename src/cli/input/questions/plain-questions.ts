/** Questions as plain lines, for terminals that cannot redraw a line (TERM=dumb). */
import type { IO } from '../../../config/environment.js'
import { matchChoices } from './offered-choices.js'
import { askLine } from './typed-line.js'
import type { Check, Choice, Questions } from './questions.js'
import { describeAnswers, readYesOrNo, yesOrNoHint } from './yes-or-no.js'

export function plainQuestions(io: IO): Questions {
  const anything = () => Promise.resolve(true as const)
  const line = (prompt: string, check: Check = anything, ifSeveral?: string) =>
    askLine(io, prompt, { check, edits: false, ifSeveral })
  const say = (text: string) => io.stderr.write(`${text}\n`)
  const list = (message: string, choices: readonly Choice[]) => {
    say(message)
    for (const [at, { name }] of choices.entries()) say(`${String(at + 1).padStart(4)}  ${name}`)
  }
  const text = (message: string, check: Check, ifSeveral = '') => line(`${message} `, check, ifSeveral)
  return {
    text,
    fileName: (message, check) => text(message, check),
    secret: (message, check) => askLine(io, `${message} `, { check, edits: false, isHidden: true }),
    pick: async (message, choices, { isOpen, heading }) => {
      list(heading === undefined ? message : `${message}\n${heading}`, choices)
      const hint = isOpen ? 'Number in the list, or what to look up: ' : 'Number, or part of the name: '
      for (;;) {
        const typed = (await line(hint, anything, '')).trim()
        const found = choicesFor(typed, choices, isOpen)
        if (found.length === 1) return found[0]?.value ?? ''
        if (found.length === 0 && typed !== '' && isOpen) return typed
        say(describeFound(typed, found))
      }
    },
    pickSeveral: async (message, choices) => {
      list(message, choices)
      for (;;) {
        const words = (await line('Numbers or names, with commas between: ')).split(',').map((word) => word.trim())
        const found = words.map((word) => ({ word, choices: choicesFor(word, choices) }))
        const unclear = found.find((one) => one.choices.length !== 1)
        if (!unclear) return [...new Set(found.map((one) => one.choices[0]?.value ?? ''))]
        say(describeFound(unclear.word, unclear.choices))
      }
    },
    yesOrNo: async (message, options) => {
      const check = (typed: string) =>
        Promise.resolve(readYesOrNo(typed, options) !== undefined || describeAnswers(options))
      return readYesOrNo(await line(`${message} ${yesOrNoHint(options)} `, check), options) ?? 'no'
    },
  }
}

/**
 * The choice with the number in the list, else those that the text means exactly, else those that contain it. With
 * `onlyExact`, a choice that only contains the text is not meant: it is looked up instead.
 */
function choicesFor(typed: string, choices: readonly Choice[], onlyExact = false): readonly Choice[] {
  const nth = /^\d{1,4}$/.test(typed) ? choices[Number(typed) - 1] : undefined
  if (nth) return [nth]
  const { exact, others } = matchChoices(choices, typed)
  return exact.length > 0 || onlyExact ? exact : others
}

function describeFound(typed: string, found: readonly Choice[]): string {
  if (typed === '') return 'A value is needed.'
  if (found.length === 0) return `Nothing in the list matches ${JSON.stringify(typed)}.`
  return `${found.length} names in the list match ${JSON.stringify(typed)}. Type more of the name, or a number.`
}
