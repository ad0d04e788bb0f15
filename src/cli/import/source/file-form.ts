/** How a text file is written: separator, encoding and byte order mark. The file of refused rows follows its source. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface FileForm {
  separator: string
  encoding: Encoding
  /** True if the file begins with a byte order mark. */
  hasByteOrderMark: boolean
}

export const plainForm: FileForm = { separator: ',', encoding: 'utf-8', hasByteOrderMark: false }

const mark = '\ufeff'

/** The bytes that a file of this form begins with. */
export const beginOf = ({ encoding, hasByteOrderMark }: FileForm): Buffer =>
  hasByteOrderMark ? encodeText(mark, encoding) : Buffer.alloc(0)

/** Encodes text. Windows-1252 has few characters; the others become question marks. */
export function encodeText(text: string, encoding: Encoding): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text)
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  return Buffer.from(Array.from(text, byteOf))
}

function byteOf(letter: string): number {
  const code = letter.codePointAt(0) ?? 0
  if (code < 0x80 || (code >= 0xa0 && code <= 0xff)) return code
  const at = windows1252.indexOf(letter)
  return at < 0 ? 0x3f : 0x80 + at
}

/** The characters of Windows-1252 from 0x80 to 0x9f. */
export const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/** Decodes the beginning of a file that was written in one of these forms. */
export function decodeBeginning(bytes: Buffer): string {
  const even = bytes.subarray(0, bytes.length - (bytes.length % 2))
  const isLittle = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] !== 0 && bytes[1] === 0)
  const isBig = (bytes[0] === 0xfe && bytes[1] === 0xff) || (bytes[0] === 0 && bytes[1] !== 0)
  if (isLittle) return even.toString('utf16le')
  return isBig ? Buffer.from(even).swap16().toString('utf16le') : bytes.toString('utf8')
}
