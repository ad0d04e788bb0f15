/** Whether a name is a time zone of the IANA database, by the program's rules or the system's. */
import { knowsZone } from '../../src/phone/offset.js'

export function isTimeZone(name: string): boolean {
  if (knowsZone(name)) return true
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
