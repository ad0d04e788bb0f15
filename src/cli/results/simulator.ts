/** Sentences that say what a command did in the simulator, and what to do next. */
import type { Clock, ClockAdvanced } from '../../contract/control/clock.js'
import type { Fault } from '../../contract/control/faults.js'
import type { ScriptedCall } from '../../contract/control/scripts.js'
import { fullTime, localZone } from '../../output/time.js'
import { quoteForShell } from '../input/shell-word.js'
import { countOf, listWords } from './words.js'

const timeOf = (iso: string): string => `${fullTime(iso, { utc: false })} ${localZone()}`

export function describeAdvanced({ now, events, reached, event, stopped }: ClockAdvanced): string {
  const clock = `The clock shows ${timeOf(now)}`
  if (stopped) return `${clock}: the advance was stopped.`
  if (event) return `${clock}: ${event.type} happened.\nSee it: svc events get ${event.id}`
  if (reached === true) return `${clock}: what you waited for holds.`
  if (reached === false) return `${clock}.`
  return `${clock}. ${events === 0 ? 'Nothing' : countOf(events, 'thing')} happened on the way.`
}

export function describeClock({ now, speed, paused }: Clock): string {
  if (paused) return `The clock is paused at ${timeOf(now)}: svc simulate advance 4m moves it.`
  const pace = speed === 1 ? 'runs at normal speed' : `runs ${speed} times as fast as a real one`
  return `The clock ${pace} and shows ${timeOf(now)}.`
}

export const describeReset = ({ now }: Clock): string =>
  `The simulator is at its beginning again: no leads, no calls, no endpoints. Its clock shows ${timeOf(now)}.`

const answerTexts: Readonly<Record<ScriptedCall['answer'], string>> = {
  busy: 'busy',
  no_answer: 'no answer',
  failed: 'failed',
  voicemail: 'voicemail',
  person: 'a person answers',
}

export function describeScript(phone: string, calls: readonly ScriptedCall[]): string {
  const texts = calls.map(({ answer, outcome }) => answerTexts[answer] + (outcome === undefined ? '' : ` (${outcome})`))
  const [first = ''] = texts
  if (texts.length === 1) return `Every call to ${phone} from now on: ${first}.\n${letTimePass}`
  return `The next calls to ${phone}: ${texts.join(', then ')}. Calls after that repeat the last one.\n${letTimePass}`
}

const letTimePass = 'Let time pass: svc simulate advance 4m'

export const describeScriptsRemoved = (removed: number): string =>
  removed === 0
    ? 'There was no script to remove.'
    : `${countOf(removed, 'script')} removed: the outcomes of calls are random again.`

export const describeFaultsRemoved = (removed: number): string =>
  removed === 0 ? 'There were no faults to remove.' : `${countOf(removed, 'fault')} removed.`

/** "The next 2 POST requests to /leads are answered with 503." */
export function describeFault(fault: Fault): string {
  const isOne = fault.count === 1
  const [is, gets] = isOne ? ['is', 'gets'] : ['are', 'get']
  const next = (what: string) => (isOne ? `The next ${what}` : `The next ${fault.count} ${what}s`)
  if (fault.to !== 'webhooks') {
    const { method, path, latency_ms, status, code, drop, after_commit } = fault
    const effects = [
      ...(latency_ms === undefined ? [] : [`${is} answered ${latency_ms / 1000} s late`]),
      ...(status === undefined && code === undefined
        ? []
        : [`${gets} the error ${[status, code].filter((part) => part !== undefined).join(' ')}`]),
      ...(drop ? [`${is} cut off without an answer`] : []),
    ]
    const saved = after_commit ? ', after the change was saved' : ''
    const where = path === undefined ? '' : ` to ${path}`
    return `${next(`${method === undefined ? '' : `${method} `}request`)}${where} ${listWords(effects)}${saved}.`
  }
  const { event, duplicate, delay, reorder, drop, corrupt_signature, stale } = fault
  const effect =
    duplicate !== undefined
      ? `${is} sent ${countOf(duplicate, 'more time')}`
      : delay !== undefined
        ? `${is} sent ${lengthOf(delay)} later`
        : stale !== undefined
          ? `${gets} a signature that is ${lengthOf(stale)} old`
          : reorder
            ? `${is} sent after the one that follows`
            : drop
              ? `${is} lost on the way`
              : corrupt_signature
                ? `${gets} a signature that does not match`
                : 'fails'
  return `${next('webhook')}${event === undefined ? '' : ` of ${event}`} ${effect}.`
}

/** A number is one of seconds. */
const lengthOf = (length: string | number): string => (typeof length === 'number' ? `${length}s` : length)

export const describeSaved = (name: string, isReplaced: boolean): string =>
  `${isReplaced ? `The earlier snapshot ${name} was replaced. ` : ''}The state of the simulator is saved as ${name}.\nReturn to it: svc simulate snapshot restore ${quoteForShell(name)}`

export const describeRestored = ({ name, now }: { name: string; now: string }): string =>
  `The simulator is in the state ${name} again. Its clock shows ${timeOf(now)}.`

export const describeText = (from: string, hasOptedOut: boolean): string =>
  hasOptedOut
    ? `${from} is opted out: the number is on the Do Not Call list now.`
    : 'The text changes nothing: only STOP, UNSUBSCRIBE, CANCEL, END and QUIT opt out.'

export function describeListed(succeeded: number, failed: number): string {
  const added = `${countOf(succeeded, 'number')} put on the Do Not Call list`
  return failed === 0 ? `${added}.` : `${added}, ${failed} refused: listed already, or not a phone number.`
}
