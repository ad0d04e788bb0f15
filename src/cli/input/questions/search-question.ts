/** A list that typing filters. Answers at once to every key, so that Enter means the text that was typed before it. */
import {
  createPrompt,
  isDownKey,
  isEnterKey,
  isTabKey,
  isUpKey,
  makeTheme,
  useEffect,
  useKeypress,
  usePagination,
  usePrefix,
  useRef,
  useState,
} from '@inquirer/core'
import { matchChoices, offerChoices, wordFor, type OfferedChoice, type OfferedLine } from './offered-choices.js'
import { describePaste, pasteGapMs } from './pasted-lines.js'
import type { Choice, PickOptions } from './questions.js'

export interface SearchConfig {
  message: string
  offered: Offered
}

interface Offered extends PickOptions {
  choices: readonly Choice[]
}

const linesShown = 12
/** Heads choices that contain the text, once more than the latest ones were read. */
const partlyRead = 'Others that contain it:'

export const searchQuestion = createPrompt<string, SearchConfig>(({ message, offered }, done) => {
  const theme = makeTheme()
  const [typed, setTyped] = useState('')
  const [picked, setPicked] = useState<string | undefined>(undefined)
  const [chosen, setChosen] = useState<OfferedChoice | undefined>(undefined)
  const { choices, isReading, isComplete } = useFurtherChoices(offered, typed)
  const heading = isComplete ? undefined : choices.length > offered.choices.length ? partlyRead : offered.heading
  const lines = offerChoices(choices, { ...offered, heading }, typed)
  const active = useActive(lines, typed, picked)
  const current = lines.filter((_, at) => at === active).find(isChoice)
  const prefix = usePrefix({ status: chosen ? 'done' : isReading ? 'loading' : 'idle', theme })
  const isUnseen = useRef(false)
  const choose = (meant: OfferedChoice) => {
    setChosen(meant)
    done(meant.value)
  }
  const paste = usePaste(choose, () => setTyped(''))
  useKeypress((key, line) => {
    if (paste.takesKey(isEnterKey(key), line)) return
    // Keys act on the list, and the line keeps the text.
    const keep = (text: string) => {
      line.clearLine(0)
      line.write(text)
    }
    if (isEnterKey(key)) {
      const meant = isUnseen.current ? meantBy(typed, choices, { ...offered, heading }) : current
      if (meant === undefined) return keep(typed)
      paste.answer(meant, line)
    } else if (isTabKey(key)) {
      const word = (current && wordFor(current, choices)) ?? typed
      keep(word)
      setTyped(word)
    } else if (isUpKey(key) || isDownKey(key)) {
      keep(typed)
      setPicked(nextTo(current, lines, isUpKey(key) ? -1 : 1))
    } else if (line.line !== typed) {
      setTyped(line.line)
      setPicked(undefined)
      // An Enter of the same paste comes before a person can see the list.
      isUnseen.current = true
      setImmediate(() => (isUnseen.current = false))
    }
  })
  const page = usePagination({
    ...{ items: lines, active, pageSize: linesShown, loop: false },
    renderItem: ({ item, isActive }) =>
      isChoice(item) ? (isActive ? theme.style.highlight(`❯ ${item.name}`) : `  ${item.name}`) : ` ${item.separator}`,
  })
  const question = `${prefix} ${theme.style.message(message, 'idle')}`
  if (chosen) return `${question} ${theme.style.answer(chosen.short ?? chosen.name)}`
  const verdict = paste.fault === undefined ? [] : [theme.style.error(paste.fault)]
  const nothing = `Nothing in the list matches ${JSON.stringify(typed)}.`
  return [
    `${question} ${theme.style.answer(typed)}`.trimEnd(),
    `${[...verdict, current ? page : theme.style.error(nothing)].join('\n')}\n\n${theme.style.help('↑↓ move, Enter chooses, Tab completes')}`,
  ]
})

/** The line that a person edits. */
interface EditedLine {
  line: string
  clearLine: (direction: 0) => void
}

/** An Enter that answers unless it belongs to a paste of several lines. */
interface PendingAnswer {
  meant: OfferedChoice
  /** Lines of the paste that are complete. */
  lines: number
  /** What follows them. */
  rest: string
  gap?: NodeJS.Timeout
}

/** Answers with a choice, unless further lines of a paste come right after the first one: then it says so. */
function usePaste(choose: (meant: OfferedChoice) => void, forgetTyped: () => void) {
  const [fault, setFault] = useState<string | undefined>(undefined)
  const pending = useRef<PendingAnswer | undefined>(undefined)
  const endAfterGap = (answer: PendingAnswer, line: EditedLine) => {
    clearTimeout(answer.gap)
    answer.gap = setTimeout(() => {
      pending.current = undefined
      const count = answer.lines + (answer.rest === '' ? 0 : 1)
      if (count === 1) return choose(answer.meant)
      line.clearLine(0)
      forgetTyped()
      setFault(describePaste(count, ''))
    }, pasteGapMs)
  }
  return {
    fault,
    answer: (meant: OfferedChoice, line: EditedLine) => {
      pending.current = { meant, lines: 1, rest: '' }
      endAfterGap(pending.current, line)
    },
    /** True for a key of a paste behind the first line. */
    takesKey: (isEnter: boolean, line: EditedLine): boolean => {
      const answer = pending.current
      if (answer === undefined) {
        setFault(undefined)
        return false
      }
      if (isEnter && answer.rest !== '') answer.lines += 1
      answer.rest = line.line.trim()
      endAfterGap(answer, line)
      return true
    },
  }
}

/**
 * The index of the highlighted line: the one that was moved to, else the first one. A choice that is highlighted stays so
 * when others arrive, so that Enter takes what the person saw.
 */
function useActive(lines: readonly OfferedLine[], typed: string, picked: string | undefined): number {
  const seen = useRef<{ typed: string; value: string | undefined }>({ typed: '', value: undefined })
  const kept = seen.current.typed === typed ? seen.current.value : undefined
  const indexOf = (value: string | undefined) => lines.findIndex((line) => isChoice(line) && line.value === value)
  const active = [indexOf(picked), indexOf(kept)].find((at) => at >= 0) ?? lines.findIndex(isChoice)
  const value = lines.filter((_, at) => at === active).find(isChoice)?.value
  seen.current = { typed, value: value === typed.trim() ? undefined : value }
  return active
}

/** The value of the choice that follows, in a circle. */
function nextTo(current: OfferedChoice | undefined, lines: readonly OfferedLine[], step: 1 | -1): string | undefined {
  const values = lines.filter(isChoice).map(({ value }) => value)
  const at = current === undefined ? 0 : values.indexOf(current.value)
  return values.at((at + step) % Math.max(values.length, 1))
}

interface FurtherChoices {
  choices: readonly Choice[]
  isReading: boolean
  /** True if there are no others. */
  isComplete: boolean
}

/** Reads the choices that the list leaves out, once somebody searches. */
function useFurtherChoices({ choices, more }: Offered, typed: string): FurtherChoices {
  const isSearching = useRef(false)
  isSearching.current ||= typed !== ''
  const [further, setFurther] = useState<readonly Choice[]>([])
  const [state, setState] = useState<'none' | 'reading' | 'some' | 'all'>('none')
  useEffect(() => {
    if (!isSearching.current || more === undefined) return undefined
    let isOver = false
    setState('reading')
    const read = async () => {
      const found: Choice[] = []
      for await (const page of more()) {
        if (isOver) return
        found.push(...page.choices)
        setFurther([...found])
        if (page.isLast) return setState('all')
      }
      if (!isOver) setState('some')
    }
    // Without them, the typed text can still be looked up.
    read().catch(() => (isOver ? undefined : setState('some')))
    return () => (isOver = true)
  }, [isSearching.current])
  return { choices: [...choices, ...further], isReading: state === 'reading', isComplete: state === 'all' }
}

/** What the text means to a person who has not seen the list: the only choice of exactly this name, or the text itself. */
function meantBy(typed: string, choices: readonly Choice[], options: PickOptions): OfferedChoice | undefined {
  const { exact } = matchChoices(choices, typed)
  const [only] = exact
  if (only && exact.length === 1 && (!options.isOpen || options.heading === undefined)) return only
  const text = typed.trim()
  return options.isOpen && text !== '' ? { name: text, value: text } : undefined
}

function isChoice(line: OfferedLine): line is OfferedChoice {
  return !('type' in line)
}
