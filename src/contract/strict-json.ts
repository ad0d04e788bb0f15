/**
 * Parses a JSON body strictly (rule C2): UTF-8 without a byte order mark, one object, whole characters, no duplicate
 * keys, limited nesting.
 */
import { ApiError } from './errors/error-codes.js'

const depthMax = 64
const malformedJson = (message: string, param: string | null = null): ApiError =>
  new ApiError('invalid_request', message, { param })

/** The object in the bytes; undefined for an empty body. */
export function readBody(bytes: Uint8Array): Record<string, unknown> | undefined {
  if (bytes.length === 0) return undefined
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw malformedJson('The body is not valid UTF-8.')
  }
  if (text.trim() === '') return undefined
  scanForFaults(text)
  let value: unknown
  try {
    value = JSON.parse(text, halfEscape.test(text) ? wholeCharacters : undefined)
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw malformedJson(
      `The body is not valid JSON: ${error instanceof Error ? whereOf(error.message) : 'it cannot be read'}.`,
    )
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw malformedJson('The body must be a JSON object.')
  return value as Record<string, unknown>
}

/** An escape that may be one half of a surrogate pair. */
const halfEscape = /\\u[dD][89a-fA-F]/
const half = /\p{Surrogate}/u

/** Refuses lone surrogates, which UTF-8 cannot store. */
function wholeCharacters(key: string, value: unknown): unknown {
  if (half.test(key) || (typeof value === 'string' && half.test(value)))
    throw malformedJson('The body has an escape that is half of a character (a lone surrogate).')
  return value
}

/** The parser's message without the quoted part of the body, which may hold private data. */
function whereOf(message: string): string {
  const position = /position (\d+)/.exec(message)?.[1]
  return position ? `it is incomplete or malformed at character ${position}` : 'it is incomplete or malformed'
}

/** Scans the text once, before it is parsed, for duplicate keys and deep nesting. */
function scanForFaults(text: string): void {
  const open: (Set<string> | null)[] = []
  for (let i = 0; i < text.length; i++) {
    const char = text[i]
    if (char === '{' || char === '[') {
      open.push(char === '{' ? new Set() : null)
      if (open.length > depthMax) throw malformedJson(`The body is nested more than ${depthMax} levels deep.`)
    } else if (char === '}' || char === ']') {
      open.pop()
    } else if (char === '"') {
      const end = endOfString(text, i)
      const keys = open[open.length - 1]
      if (keys && isKey(text, end)) noteKey(keys, text.slice(i, end))
      i = end - 1
    }
  }
}

function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}

function isKey(text: string, end: number): boolean {
  let i = end
  while (/\s/.test(text[i] ?? '')) i++
  return text[i] === ':'
}

function noteKey(keys: Set<string>, written: string): void {
  let key: string
  try {
    key = JSON.parse(written) as string
  } catch {
    return
  }
  if (keys.has(key))
    throw malformedJson(`The body has the key "${key.slice(0, 100)}" twice in one object.`, key.slice(0, 100))
  keys.add(key)
}
