/** Asks for the parts of a consent: how it was given, when, and the page or the text that shows it. */
import { consentSourceLength, consentTextLength } from '../../../contract/limits.js'
import { localZone } from '../../../output/time.js'
import { urlOf } from '../../../url.js'
import { explainDateFault, findDateFault, writeDatesLike } from '../../import/consent-dates.js'
import { quoteForShell } from '../shell-word.js'
import type { MissingValue } from './prompt-for-missing.js'
import type { Choice } from './questions.js'

type Ask = (...needs: MissingValue[]) => Promise<string[]>

export interface ConsentAnswer {
  field: 'source' | 'agreed_at' | 'url' | 'text'
  value: string
}

const [otherWord, page, text, none] = ['other', 'page', 'text', 'none']

const sources: readonly Choice[] = [
  { name: 'a web form (web_form)', value: 'web_form' },
  { name: 'a call (call)', value: 'call' },
  { name: 'your CRM (crm)', value: 'crm' },
  { name: 'a purchased list (purchased_list)', value: 'purchased_list' },
  { name: 'another word', value: otherWord },
]

const evidences: readonly Choice[] = [
  { name: 'the address of a page', value: page },
  { name: 'the text that was agreed to', value: text },
]

/** An answer as words of a command line. */
export const wordsOf = ({ field, value }: ConsentAnswer): string[] => [
  field === 'agreed_at' ? '--consent-at' : `--consent-${field}`,
  quoteForShell(value),
]

/** `unknown` names the choice to give none, which comes first: a source is proof, so the Enter key alone gives none. */
export async function askForSource(ask: Ask, unknown?: string): Promise<ConsentAnswer | undefined> {
  const flag = '--consent-source'
  const value = await pick(ask, flag, 'How consent was given', [...choicesOf(unknown), ...sources])
  if (value === none) return undefined
  if (value !== otherWord) return { field: 'source', value }
  return { field: 'source', value: await type(ask, flag, 'Source of the consent', consentSourceLength) }
}

/** `unknown` names the choice to give none, which comes last. */
export async function askForEvidence(ask: Ask, unknown?: string): Promise<ConsentAnswer | undefined> {
  const kind = await pick(ask, '--consent-url', 'What shows the consent', [...evidences, ...choicesOf(unknown)])
  if (kind === none) return undefined
  if (kind === text)
    return { field: 'text', value: await type(ask, '--consent-text', 'Text that was agreed to', consentTextLength) }
  const check = (answer: string) =>
    urlOf(answer) !== undefined || 'Type a whole address, such as https://example.com/form.'
  return { field: 'url', value: await type(ask, '--consent-url', 'Address of the page', consentTextLength, check) }
}

/** A time without a zone is one of this machine, which the question names. `now` is in milliseconds since the epoch. */
export async function askForTime(ask: Ask, now: number): Promise<ConsentAnswer> {
  const label = `When they agreed, in ${localZone()} (now, or like 2026-10-01 09:30)`
  const value = await type(ask, '--consent-at', label, consentTextLength, (answer) => checkTime(answer, now))
  return { field: 'agreed_at', value: readTime(value, now) }
}

const localTime = /^(\d{4})-(\d\d)-(\d\d)[T ](\d{1,2}):(\d\d)(?::(\d\d))?$/

/** Of a local time, the date-time with its zone. */
function readTime(answer: string, now: number): string {
  if (answer.toLowerCase() === 'now') return withOffset(new Date(now))
  const local = localTimeOf(answer)
  return local === undefined ? answer : withOffset(local)
}

/** Undefined for a text of another form, and for a day or hour that does not exist. */
function localTimeOf(answer: string): Date | undefined {
  const parts = localTime.exec(answer)?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
  const time = new Date(year, month - 1, day, hour, minute, Number.isNaN(second) ? 0 : second)
  const isSame = time.getMonth() === month - 1 && time.getDate() === day && time.getHours() === hour
  return isSame && minute < 60 ? time : undefined
}

function checkTime(answer: string, now: number): string | true {
  const time = readTime(answer, now)
  const fault = findDateFault(time)
  if (localTime.test(answer) && fault !== undefined) return 'There is no such day or time.'
  if (fault === 'no_zone') return 'Add the time, such as 2026-10-01 09:30.'
  if (fault !== undefined) return `${explainDateFault('That', answer, fault)} Write it like 2026-10-01 09:30.`
  // The clock of a simulator may be behind that of this machine.
  const isPast = Date.parse(time.replace(/ (?=\d)/, 'T').replace(' ', '')) <= Math.max(now, Date.now())
  return isPast || `That is not in the past. Write it ${writeDatesLike}.`
}

/** `2026-10-01T09:30:00-04:00`. */
function withOffset(time: Date): string {
  const offset = -time.getTimezoneOffset()
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60]
  const local = new Date(time.getTime() + offset * 60_000).toISOString().slice(0, 19)
  return `${local}${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`
}

const choicesOf = (unknown: string | undefined): Choice[] =>
  unknown === undefined ? [] : [{ name: unknown, value: none }]

/** Answers are hidden from the command line to repeat until they are known to be used. */
async function pick(ask: Ask, flag: string, label: string, choices: readonly Choice[]): Promise<string> {
  const need = { flag, label, value: undefined, hidden: true, choices: () => Promise.resolve([...choices]) }
  return (await ask(need))[0] ?? none
}

async function type(
  ask: Ask,
  flag: string,
  label: string,
  longest: number,
  check: (answer: string) => string | true = () => true,
): Promise<string> {
  const verify = (answer: string) =>
    answer.length > longest ? `Type ${longest} characters at most.` : check(answer.trim())
  // The words of the answer are added by the caller.
  const spell = () => []
  const [value = ''] = await ask({ flag, label, value: undefined, check: verify, spell })
  return value.trim()
}
