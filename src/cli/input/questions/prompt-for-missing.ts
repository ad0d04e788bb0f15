/** Values a command cannot do without: asked for at a terminal, else all that are missing are named in one error. */
import { ApiError } from '../../../client/errors.js'
import { isInteractive, type IO } from '../../../config/environment.js'
import { canRedraw } from '../../../output/style.js'
import { stripControlsFromLine } from '../../../output/sanitize.js'
import type { Choice, FurtherPage, Questions } from './questions.js'
import { quoteForShell } from '../shell-word.js'
import type { YesOrNo, YesOrNoOptions } from './yes-or-no.js'
import { cancelled, UsageError } from '../../errors/usage-error.js'

export interface MissingValue {
  /** As the person types it: `--campaign` or `<lead>`. */
  flag: string
  /** What to ask for: `Campaign`. */
  label: string
  /** The same if the list of choices cannot be read. */
  typedLabel?: string
  value: string | undefined
  /** What may be picked, where the service knows. Typing filters the list. */
  choices?: ((answers: readonly string[]) => Promise<Choice[] | LatestChoices>) | undefined
  /** What to say if there is nothing to choose, instead of a question that has no answer. */
  ifNone?: string
  /** A value that is not among the choices may be typed. */
  isOpen?: boolean
  /** Checks a value that was given, before anything is asked. Throws what is wrong with it. */
  verifyGiven?: (value: string) => unknown
  /** Checks an answer: true, or what is wrong with it. The question is asked again. */
  check?: (answer: string) => string | true | Promise<string | true>
  /** What the answer means: `~/leads.csv` is a path in the home folder. */
  read?: (answer: string) => string
  /** Asked for only together with a required value, and may stay empty. */
  isOptional?: boolean
  /** The answer of the Enter key, from the answers so far. */
  usual?: (answers: readonly string[]) => string
  /** Several may be picked; the value has commas between them. */
  many?: boolean
  /** How it is given where nobody can be asked. */
  hint?: string
  /** The value as words of a command line, if not the flag with the value. None if no line can do the same without questions. */
  spell?: (value: string) => string[]
  /** Not shown while it is typed. */
  hidden?: boolean
  /** What takes many values, for a person who pastes several lines. */
  ifSeveral?: string
  /** The name of a file: Tab completes it. */
  isFile?: boolean
}

/** The newest of more than a list shows. Any other may be typed. */
export interface LatestChoices {
  latest: Choice[]
  /** What they are: `leads`. */
  what: string
  /** The other ones, as far as a search reads them. */
  more?: () => AsyncIterable<FurtherPage>
}

export interface PromptOptions {
  noInput: boolean
  /** Where a person learns what can be given. */
  help: string
  /** Begins every question, such as the mark of live mode. */
  badge?: string
  /** Gets the answers as words of a command line. */
  answered: (words: readonly string[]) => void
}

/** Gives every value, in order. An optional one that nobody gave is empty. */
export async function promptForMissing(
  around: IO,
  { noInput, help, badge = '', answered }: PromptOptions,
  needs: readonly MissingValue[],
): Promise<string[]> {
  const isMissing = ({ value, isOptional }: MissingValue) => !isOptional && (value === undefined || value === '')
  const missing = needs.filter(isMissing)
  if (missing.length > 0 && !isInteractive(around, noInput)) {
    const names = missing.map(({ flag }) => flag).join(', ')
    throw new UsageError(
      `Missing: ${names}.`,
      missing.length > 1 ? `All of them are required. ${help}` : (missing[0]?.hint ?? help),
    )
  }
  if (missing.length > 0) for (const need of needs) if (need.value) await need.verifyGiven?.(need.value)
  const values: string[] = []
  const answers: string[] = []
  for (const need of needs) {
    const isAsked = missing.includes(need) || (need.isOptional && need.value === undefined && missing.length > 0)
    const { value, word } = isAsked ? await promptForValue(around, need, badge, values) : { value: need.value ?? '' }
    // An empty value would be filled from somewhere else later.
    if (value.trim() === '' && !need.isOptional) throw new UsageError(`Missing: ${need.flag}.`, need.hint ?? help)
    values.push(value)
    if (isAsked && value !== '') answers.push(...spellFlag(need, word ?? value))
  }
  // A hidden answer cannot be given on a command line.
  if (answers.length > 0 && missing.some(({ hidden }) => !hidden)) answered(answers)
  return values
}

interface Answer {
  value: string
  /** The value as it is typed on a command line, if that differs. */
  word?: string | undefined
}

async function promptForValue(
  around: IO,
  need: MissingValue,
  badge: string,
  before: readonly string[],
): Promise<Answer> {
  const { many, hidden, isOptional, isOpen = false, isFile, check, read = (answer) => answer } = need
  const usual = need.usual?.(before) ?? ''
  const questions = await openQuestions(around)
  const { offered, heading, more, label } = await readChoices(need, before)
  if (offered?.length === 0 && need.ifNone !== undefined) throw new UsageError(need.ifNone)
  const message = `${badge}${label}${usual ? ` (${usual})` : isOptional ? ' (optional)' : ''}:`
  if (offered?.length && many) return { value: (await questions.pickSeveral(message, offered)).join(',') }
  if (offered?.length) {
    const value = (
      await questions.pick(message, offered, { isOpen: isOpen || heading !== undefined, heading, more })
    ).trim()
    return { value, word: offered.find((choice) => choice.value === value)?.word }
  }
  const valueOf = (answer: string) => read(answer.trim() || usual)
  const verify = async (answer: string): Promise<string | true> => {
    if (answer.trim() === '' && usual === '') return isOptional === true || 'A value is needed.'
    return check ? check(valueOf(answer)) : true
  }
  const ask = hidden ? questions.secret : isFile ? questions.fileName : questions.text
  return { value: valueOf(await ask(message, verify, need.ifSeveral)) }
}

/** Asks for one of the choices, by value. Only for a terminal. */
export async function pickOne(around: IO, badge: string, message: string, choices: readonly Choice[]): Promise<string> {
  const questions = await openQuestions(around)
  return questions.pick(`${badge}${stripControlsFromLine(message)}`, choices.map(cleanChoice), { isOpen: false })
}

/** What the service calls a choice is text from outside. */
const cleanChoice = (choice: Choice): Choice => ({ ...choice, name: stripControlsFromLine(choice.name) })

/** Asks on stderr, because stdout is for results and may lead into a file. The library loads when something is asked. */
async function openQuestions(io: IO): Promise<Questions> {
  if (!canRedraw(io.stderr, io.env)) return (await import('./plain-questions.js')).plainQuestions(io)
  return (await import('./drawn-questions.js')).drawnQuestions(io)
}

async function* cleanPages(pages: AsyncIterable<FurtherPage>): AsyncGenerator<FurtherPage> {
  for await (const { choices, isLast } of pages) yield { choices: choices.map(cleanChoice), isLast }
}

interface OfferedChoices {
  /** Undefined if the choices cannot be read. */
  offered: Choice[] | undefined
  /** Says that the list is not complete. */
  heading?: string
  more?: (() => AsyncIterable<FurtherPage>) | undefined
  label: string
}

/** Without choices, the person types the value: there are none, or the key may not read them. */
async function readChoices(
  { choices, label, typedLabel = label }: MissingValue,
  before: readonly string[],
): Promise<OfferedChoices> {
  try {
    const found = (await choices?.(before)) ?? []
    const { latest, what, more } = Array.isArray(found) ? { latest: found, what: undefined, more: undefined } : found
    const offered = latest.map(cleanChoice)
    const heading = what === undefined ? {} : { heading: `The latest ${offered.length} ${what}:` }
    return { offered: choices && offered, ...heading, more: more && (() => cleanPages(more())), label }
  } catch (error) {
    // Without a valid key, nothing else would work either.
    if (!(error instanceof ApiError) || error.status === 401) throw error
    return { offered: undefined, label: typedLabel }
  }
}

/** A need as it would be typed. */
function spellFlag({ flag, hidden, spell }: MissingValue, value: string): string[] {
  if (hidden) return []
  if (spell) return spell(value)
  return flag.startsWith('--') ? [flag, quoteForShell(value)] : [quoteForShell(value)]
}

/** Asks before what cannot be undone. `--yes` answers; without a terminal and without it, nothing is done. */
export async function askToConfirm(
  around: IO,
  { yes, noInput, badge = '' }: { yes: boolean; noInput: boolean; badge?: string },
  question: string,
): Promise<void> {
  if (yes) return
  if (!isInteractive(around, noInput))
    throw new UsageError(`Not confirmed: ${question}`, 'There is no terminal to ask at. Add --yes to go ahead.')
  if (!(await askYesOrNo(around, question, { badge, usual: false }))) throw new UsageError(cancelled)
}

/** Asks a question at a terminal. `usual` is the answer of the Enter key. */
export async function askYesOrNo(
  around: IO,
  question: string,
  options: YesOrNoOptions & { badge: string },
): Promise<boolean> {
  return (await askYesNoOrOther(around, question, options)) === 'yes'
}

/** The same for a question with a third answer. */
export async function askYesNoOrOther(
  around: IO,
  question: string,
  { badge, ...options }: YesOrNoOptions & { badge: string },
): Promise<YesOrNo> {
  const questions = await openQuestions(around)
  return questions.yesOrNo(`${badge}${stripControlsFromLine(question)}`, options)
}
