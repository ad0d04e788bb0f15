/** Counts down the seconds of a wait on one terminal line. */
import { stripControlsFromLine } from './sanitize.js'

const wipe = '\r\u001b[K'

/** Starts at once. Returns a function that clears the line. `text` gets the remaining seconds. */
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
