/** The filters of lists by time. */
import { filterMilliseconds } from '../../src/contract/base/date-time.js'
import { instant, type Instant } from '../kernel/instant.js'

/** The moment a filter means. */
export const filterInstant = (text: string | undefined): Instant | undefined =>
  text === undefined ? undefined : instant(filterMilliseconds(text))
