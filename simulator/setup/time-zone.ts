/** Whether a name is one of the IANA time zone database, by our own rules or the machine's. */
import { knowsZone } from '../../src/phone/offset.js'

export function isTimeZone(name: string): boolean {
  if (knowsZone(name)) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
