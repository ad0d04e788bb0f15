/** Fields whose text means a value: true, false, null, a number, or the contents of a file. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pairFlag } from '../base/flags.js'
import { describeReadFailure } from './stdin.js'

const words: Readonly<Record<string, unknown>> = { true: true, false: false, null: null }

export async function parseTypedFields(texts: readonly string[]): Promise<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  for (const [name, text] of Object.entries(pairFlag(texts, '--typed-field'))) fields[name] = await valueOf(text)
  return fields
}

async function valueOf(text: string): Promise<unknown> {
  if (Object.hasOwn(words, text)) return words[text]
  if (/^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)) return Number(text)
  if (!text.startsWith('@')) return text
  const file = text.slice(1)
  return readFile(resolve(file), 'utf8').catch((error: unknown) => {
    throw describeReadFailure(file, error)
  })
}
