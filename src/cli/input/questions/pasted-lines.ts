/** Several lines pasted at a question for one value: none is used, because the others would be lost without a word. */

import type { Interface } from 'node:readline'

/** Lines of a paste follow each other faster than a person types them. */
export const pasteGapMs = 50

/** What to say about them. `hint` names what takes many values. */
export const describePaste = (count: number, hint: string): string =>
  `${count} lines were pasted, and there is room for one. None of them was used.${hint && ` ${hint}`}`

/**
 * Calls back once no further line follows, with the lines that are not empty. `unfinished` is the text behind the last line break; the
 * reader no longer holds it.
 */
export function onPaste(reader: Interface, callBack: (entered: string[], unfinished: string) => void): void {
  const pasted: string[] = []
  let gap: NodeJS.Timeout | undefined
  const end = () => {
    const unfinished = reader.line ?? ''
    if (unfinished !== '') reader.write(null, { ctrl: true, name: 'u' })
    callBack(
      pasted.splice(0).filter((line) => line.trim() !== ''),
      unfinished,
    )
  }
  reader.on('line', (line) => {
    pasted.push(line)
    clearTimeout(gap)
    gap = setTimeout(end, pasteGapMs)
  })
  reader.once('close', () => clearTimeout(gap))
}
