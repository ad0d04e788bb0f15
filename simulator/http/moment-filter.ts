/** Time filters of lists (rule C4). */
import { filterMilliseconds } from '../../src/contract/base/date-time.js'
import { instant, type Instant } from '../kernel/instant.js'

/** The instant of a time filter. */
export const filterInstant = (text: string | undefined): Instant | undefined =>
  text === undefined ? undefined : instant(filterMilliseconds(text))
