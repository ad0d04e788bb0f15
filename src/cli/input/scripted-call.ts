/** A call of a script as a person types it: `busy`, or `person:outcome=interested,talk_seconds=95`. */
import type { ScriptedCall } from '../../contract/control/scripts.js'
import { answers, outcomes } from '../../contract/enums.js'

import { nearestWord } from '../errors/suggest.js'
import { UsageError } from '../errors/usage-error.js'

type Reader = (text: string, key: string) => Partial<ScriptedCall>

const readSeconds: Reader = (text, key) => {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new UsageError(`${key}=${text} is not a number of seconds.`)
  return { [key]: Number(text) }
}

/** What the simulator reads itself, and refuses in its own words. */
const readWord: Reader = (text, key) => ({ [key]: text })

const roles: Readonly<Record<string, ScriptedCall['handover']>> = {
  sdr: { role: 'sdr' },
  closer: { role: 'closer' },
  none: null,
}

const particulars: Readonly<Record<string, Reader>> = {
  ring_seconds: readSeconds,
  talk_seconds: readSeconds,
  interested_after_seconds: readSeconds,
  outcome: readWord,
  callback_at: readWord,
  dnc_by: readWord,
  handover: (text) => {
    if (!Object.hasOwn(roles, text))
      throw new UsageError(`handover=${text} is nobody.`, `It is one of: ${Object.keys(roles).join(', ')}.`)
    return { handover: roles[text] ?? null }
  },
  accept_after_seconds: readSeconds,
}

/** Throws `UsageError` for what it cannot read, with the nearest word. */
export function parseScriptedCall(text: string): ScriptedCall {
  const colon = text.indexOf(':')
  const name = colon < 0 ? text : text.slice(0, colon)
  const answer = answers.find((known) => known === name)
  if ((outcomes as readonly string[]).includes(name) && !answer)
    throw new UsageError(`There is no call ${name}: it is an outcome.`, `It reads like person:outcome=${name}.`)
  if (!answer) throw unknownWord(`There is no call ${name}.`, name, answers)
  const call = { answer }
  for (const pair of colon < 0 ? [] : text.slice(colon + 1).split(',')) Object.assign(call, parseParticular(pair))
  return withAcceptance(call)
}

function parseParticular(pair: string): Partial<ScriptedCall> {
  const equals = pair.indexOf('=')
  const key = equals < 0 ? pair : pair.slice(0, equals)
  const read = Object.hasOwn(particulars, key) ? particulars[key] : undefined
  if (!read) throw unknownWord(`A call has no ${key}.`, key, Object.keys(particulars))
  if (equals < 0) throw new UsageError(`${key} has no value.`, `It reads like person:${key}=...`)
  return read(pair.slice(equals + 1), key)
}

/** How long the person takes to accept is said of the handover. */
function withAcceptance({
  accept_after_seconds,
  ...call
}: ScriptedCall & { accept_after_seconds?: number }): ScriptedCall {
  if (accept_after_seconds === undefined) return call
  if (!call.handover)
    throw new UsageError(
      'accept_after_seconds needs a handover.',
      'It reads like person:handover=sdr,accept_after_seconds=20.',
    )
  return { ...call, handover: { ...call.handover, accept_after_seconds } }
}

function unknownWord(message: string, word: string, known: readonly string[]): UsageError {
  const near = nearestWord(word, known)
  return new UsageError(message, near ? `Did you mean ${near}?` : `It is one of: ${known.join(', ')}.`)
}
