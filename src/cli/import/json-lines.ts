/** Streaming JSON lines reader. Fields become columns, with dots for nested fields. */
import { parseJson } from '../../client/json.js'
import { UsageError } from '../errors/usage-error.js'
import { longestRow } from './raw-row.js'

export interface JsonLine {
  line: number
  fields: ReadonlyMap<string, string>
  problem: string | undefined
}

/** Skips empty lines. */
export async function* jsonLines(text: AsyncIterable<string>): AsyncGenerator<JsonLine> {
  let number = 0
  for await (const line of linesOf(text)) {
    number++
    if (line.trim() !== '') yield { line: number, ...readJsonLine(line) }
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  let number = 1
  for await (const piece of text) {
    const lines = (rest + piece).split('\n')
    rest = lines.pop() ?? ''
    number += lines.length
    yield* lines
    if (rest.length > longestRow) throw new UsageError(`Line ${number} is longer than any lead can be.`)
  }
  yield rest
}

function readJsonLine(line: string): Pick<JsonLine, 'fields' | 'problem'> {
  const value = parseJson(line)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { fields: new Map(), problem: 'this is not a JSON object on a line of its own' }
  return { fields: new Map(flattenFields(value)), problem: undefined }
}

function* flattenFields(object: object): Generator<[name: string, text: string]> {
  for (const [name, value] of Object.entries(object) as [string, unknown][]) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) yield [name, textOf(value)]
    else for (const [inner, part] of Object.entries(value)) yield [`${name}.${inner}`, textOf(part)]
  }
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
