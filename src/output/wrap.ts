/** Breaks notes and errors between words for the width of a terminal. Commands stay whole, so that they can be copied. */
import { widthOf, wrapWords } from './table/width.js'

const commandLine = /^\s*(?:svc|npx svc|export|curl) .*[^.]$/
/** A command after a sentence. What ends with a full stop is prose that names commands. */
const endingCommand = /^(.*:) ((?:npx )?svc .*[^.])$/

/** Narrower terminals are left to break lines themselves. */
const narrowest = 20

export interface Screen {
  isTTY?: boolean
  columns?: number
}

/** The width to wrap for; `Infinity` for what is not a terminal. */
export const widthOfScreen = ({ isTTY, columns }: Screen): number =>
  isTTY && columns !== undefined && columns >= narrowest ? columns : Infinity

/** The text with lines that fit. Continued lines begin below their beginning. */
export const wrapLines = (text: string, width: number): string =>
  width === Infinity
    ? text
    : text
        .split('\n')
        .flatMap((line) => wrapLine(line, width))
        .join('\n')

function wrapLine(line: string, width: number): string[] {
  if (widthOf(line) <= width || commandLine.test(line)) return [line]
  const [, sentence, command] = endingCommand.exec(line) ?? []
  const indent = /^ */.exec(line)?.[0] ?? ''
  if (sentence !== undefined && command !== undefined) return [...wrapLine(sentence, width), `${indent}  ${command}`]
  return wrapWords(line.slice(indent.length), width - indent.length).map((part) => `${indent}${part.trim()}`)
}

/** Continued lines narrower than this are not worth a deep indent. */
const narrowestHang = 30
const shallow = 4

/** Breaks a line between words. Continued lines begin in column `hang`, or further left if that leaves little room. */
export function wrapHanging(line: string, width: number, hang: number): string {
  if (widthOf(line) <= width) return line
  const indent = ' '.repeat(width - hang < narrowestHang ? shallow : hang)
  const [first = '', ...rest] = wrapWords(line, width)
  const below = wrapWords(rest.join(' ').trim(), width - indent.length).map((part) => indent + part.trim())
  return [first.trimEnd(), ...below].join('\n')
}
