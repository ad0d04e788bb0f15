/** Seconds counted down on one line of a terminal while something is waited for. */
import { stripControlsFromLine } from './sanitize.js'

const wipe = '\r\u001b[K'

/** Begins at once; the function given back takes the line away. `text` gets the seconds left. */
export function countDown(ms: number, text: (seconds: number) => string, write: (text: string) => void): () => void {
  let left = Math.ceil(ms / 1000)
  const show = (): void => write(wipe + stripControlsFromLine(text(Math.max(left--, 0))))
  show()
  const ticking = setInterval(show, 1000)
  return () => {
    clearInterval(ticking)
    write(wipe)
  }
}
