/** Reading a URL that a person or another program wrote. */

/**
 * The URL, or undefined where the text is none. `URL.canParse` would say so too, but in Node 20 and 22 it misreads any
 * text with an umlaut once it was called some thousand times.
 */
export function urlOf(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
