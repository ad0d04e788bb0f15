/** Decodes a file to text with newline line endings, whatever its encoding. */
import { UsageError } from '../../errors/usage-error.js'
import { windows1252, type Encoding } from './file-form.js'
import type { Spool } from '../spool.js'

const oldWorkbook = 'an old or password-protected workbook'

/** Unsupported file types by their first bytes. They must be saved as CSV first. */
const foreign: readonly (readonly [begins: string, what: string])[] = [
  ['\u00d0\u00cf\u0011\u00e0', oldWorkbook],
  ['\u001f\u008b', 'compressed'],
  ['%PDF-', 'a PDF'],
]

const foreignKind = (head: Buffer): string | undefined =>
  foreign.find(([begins]) => head.subarray(0, begins.length).equals(Buffer.from(begins, 'latin1')))?.[1]

const saveFirst = (kind: string): string =>
  kind === oldWorkbook
    ? 'Save it as an Excel workbook (.xlsx) without a password, or as CSV UTF-8, first.'
    : 'Save it as CSV UTF-8 first.'

/** What to say about a file of an unsupported type; undefined for any other file. */
export function describeForeignFile(name: string, head: Buffer): string | undefined {
  const kind = foreignKind(head)
  return kind && `${name} is ${kind}, not text. ${saveFirst(kind)}`
}

/** Throws `UsageError` if the file is not text. */
export function encodingOf(name: string, { head, isUtf8 }: Pick<Spool, 'head' | 'isUtf8'>): Encoding {
  const kind = foreignKind(head)
  if (kind) throw new UsageError(`${name} is ${kind}, not text.`, saveFirst(kind))
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head.includes(0)) {
    // UTF-16: in Latin text, one byte of each pair is zero.
    if (head[1] === 0 && head[0] !== 0) return 'utf-16le'
    if (head[0] === 0 && head[1] !== 0) return 'utf-16be'
    throw new UsageError(`${name} is not text.`, 'Save it as CSV or JSON lines first.')
  }
  return isUtf8 ? 'utf-8' : 'windows-1252'
}

/** Streams the text without a byte order mark. */
export async function* textOf(pieces: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<string> {
  const decode = decoderOf(encoding)
  let held = ''
  for await (const piece of pieces) {
    const text = held + decode(piece)
    // The chunk may end in the middle of a CRLF.
    held = text.endsWith('\r') ? '\r' : ''
    yield withNewlines(held === '' ? text : text.slice(0, -1))
  }
  yield withNewlines(held + decode())
}

const withNewlines = (text: string): string => text.replace(/\r\n?/g, '\n')

type Decode = (piece?: Buffer) => string

function decoderOf(encoding: Encoding): Decode {
  if (encoding === 'windows-1252') return (piece) => (piece ? decodeWindows1252(piece) : '')
  const decoder = new TextDecoder(encoding)
  return (piece) => (piece ? decoder.decode(piece, { stream: true }) : decoder.decode())
}

/** Some Node releases decode these characters wrongly. */
function decodeWindows1252(piece: Buffer): string {
  return piece
    .toString('latin1')
    .replace(/[\u0080-\u009f]/g, (letter) => windows1252[letter.charCodeAt(0) - 0x80] ?? letter)
}
